// SPDX-License-Identifier: BSD-3-Clause
//
// Each array has its own map where the user gives one, and unknown names are refused.
#include "processes/array_maps.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fg {
namespace {

constexpr std::array<std::string_view, 2> arrays{"patches", "pairs"};
constexpr std::array<int, 1> shape{12};

int pe(const ArrayMaps& maps, std::string_view array, int index) {
  return maps.pe(array, std::array<int, 1>{index}, shape, 3);
}

TEST(ArrayMaps, OneForAll) {
  const ArrayMaps maps("round-robin", arrays);
  for (int i = 0; i < 12; ++i)
    for (const auto array : arrays)
      EXPECT_EQ(pe(maps, array, i), mapped_pe("round-robin", std::array<int, 1>{i}, shape, 3));
}

TEST(ArrayMaps, OthersByName) {
  for (const std::string text : {"round-robin,pairs=hashed", "pairs=hashed,round-robin"}) {
    const ArrayMaps maps(text, arrays);
    for (int i = 0; i < 12; ++i) {
      EXPECT_EQ(pe(maps, "patches", i), mapped_pe("round-robin", std::array<int, 1>{i}, shape, 3));
      EXPECT_EQ(pe(maps, "pairs", i), mapped_pe("hashed", std::array<int, 1>{i}, shape, 3));
    }
  }
  EXPECT_EQ(pe(ArrayMaps("pairs=hashed", arrays), "patches", 5),
            mapped_pe("block", std::array<int, 1>{5}, shape, 3));
}

TEST(ArrayMaps, UnknownNamesAreRefused) {
  for (const std::string text : {"", "hash", "block,pairs=", "block,pair=hashed", "block,,"})
    EXPECT_THROW(ArrayMaps(text, arrays), InputError) << text;
  EXPECT_THROW(check_maps("pairs=hash"), InputError);
  EXPECT_NO_THROW(check_maps("block,anything=hashed"));
}

TEST(ArrayMaps, OfATorusAreRefusedIfTheyCannotBe) {
  for (const std::string text :
       {"torus-", "torus-2x2", "torus-2x2x2", "torus-2x2x2-", "torus-2x2x2-3", "torus-0x2x2-1",
        "torus-2x2x2-4x", "torus-2 x2x2-4", "torus-1x6x1-4"})
    EXPECT_THROW(check_maps(text), InputError) << text;
  EXPECT_NO_THROW(check_maps("torus-4x4x8-16,pairs=plane"));
  const ArrayMaps maps("torus-1x1x4-1", arrays);
  EXPECT_THROW(pe(maps, "pairs", 0), InputError);  // three PEs
}

}  // namespace
}  // namespace fg
