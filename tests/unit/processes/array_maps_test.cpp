// SPDX-License-Identifier: BSD-3-Clause
//
// Each array has its own map where the user gives one, and unknown names are refused.
#include "processes/array_maps.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"
#include "processes/mesh_map.hpp"

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

TEST(ArrayMaps, OfTheMeshHaveANumberOfPes) {
  EXPECT_FALSE(mesh_map_of("cost"));
  EXPECT_EQ(mesh_map_of("mesh-3")->pes, 3);
  EXPECT_FALSE(mesh_map_of("mesh-3")->alone);
  EXPECT_TRUE(mesh_map_of("mesh-12-alone")->alone);
  EXPECT_EQ(mesh_map_of("mesh-12-alone")->pes, 12);
  for (const std::string text : {"mesh-", "mesh-0", "mesh--1", "mesh-x", "mesh-1x", "mesh-alone",
                                 "mesh--alone", "mesh-1-alon", "mesh-99999999999"})
    EXPECT_THROW(check_maps(text), InputError) << text;
  EXPECT_THROW(check_maps("cost,pairs=mesh-1"), InputError);  // it is a map of all
  EXPECT_NO_THROW(check_maps("mesh-2,pairs=hashed"));
  EXPECT_NO_THROW(require_pes({.pes = 2}, "mesh-2", 2));
  EXPECT_THROW(require_pes({.pes = 3}, "mesh-3", 2), InputError);
  EXPECT_NO_THROW(require_pes({.pes = 1, .alone = true}, "mesh-1-alone", 2));
  EXPECT_THROW(require_pes({.pes = 2, .alone = true}, "mesh-2-alone", 2), InputError);
}

}  // namespace
}  // namespace fg
