// SPDX-License-Identifier: BSD-3-Clause
//
// The places of a line that is cut into pieces are those of the pieces' own layouts.
#include "fft/cut_pieces.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "fft/layout.hpp"

namespace fg::fft {
namespace {

void expect_places_of_the_layouts(int axis) {
  const GridBox box{{2, 3, 4}, {7, 10, 9}};
  const int cut = box.low[axis] + 2;
  GridBox low = box, high = box;
  low.high[axis] = high.low[axis] = cut;
  constexpr std::int32_t at_low = 1000, at_high = 64;  // pieces lie in any order
  CutPieces pieces(box, axis);
  pieces.add(high, at_high);
  pieces.add(low, at_low);
  ASSERT_EQ(pieces.points(), static_cast<std::size_t>(box.size(axis)));
  std::vector<std::int64_t> places(pieces.points());
  for (int field = 0; field < 3; ++field)
    for (int plane = 0; plane < (axis == 1 ? box.size(0) : 1); ++plane) {
      pieces.places(field, plane, places.data());
      for (int k = 0; k < box.size(axis); ++k) {
        std::array<int, 3> point = box.low;
        point[0] += plane;
        point[axis] = box.low[axis] + k;
        const bool is_low = point[axis] < cut;
        const GridBox& piece = is_low ? low : high;
        const auto expected =
            (is_low ? at_low : at_high) +
            static_cast<std::ptrdiff_t>(field) * static_cast<std::ptrdiff_t>(piece.volume()) +
            dense(piece).at(point);
        EXPECT_EQ(places[static_cast<std::size_t>(k)], expected)
            << axis << " " << field << " " << plane << " " << k;
      }
    }
}

TEST(CutPieces, PlacesAreThoseOfTheLayouts) {
  expect_places_of_the_layouts(0);
  expect_places_of_the_layouts(1);
}

TEST(CutPieces, APieceFitsIfOnlyTheAxisIsCut) {
  const CutPieces pieces({{0, 0, 0}, {4, 5, 6}}, 1);
  EXPECT_TRUE(pieces.fits({{0, 2, 0}, {4, 3, 6}}));
  EXPECT_FALSE(pieces.fits({{0, 2, 0}, {3, 3, 6}}));
  EXPECT_FALSE(pieces.fits({{0, 2, 1}, {4, 3, 6}}));
}

}  // namespace
}  // namespace fg::fft
