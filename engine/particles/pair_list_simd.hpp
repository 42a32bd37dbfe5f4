// SPDX-License-Identifier: BSD-3-Clause
//
// The two inner loops for making pair lists. One finds boxes near a box. The other finds quads with
// an atom near an atom of a given quad. Both write their results consecutively, without a branch.
// Lengths are in the neighbourhood's scale.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace fg {

/// Outputs need room for this many more entries than they can contain.
inline constexpr std::size_t pair_list_slack = 16;

/// Bounding boxes by axis, padded to a multiple of 16 with boxes far from everything.
template <class Real>
struct QuadBoxes {
  const Real* low[3];
  const Real* high[3];
};

template <class Real>
bool boxes_near(const QuadBoxes<Real>& boxes, std::int32_t a, std::int32_t b,
                Real cutoff2) noexcept {
  Real distance2 = 0;
  for (int axis = 0; axis < 3; ++axis) {
    const Real gap = std::max({boxes.low[axis][a] - boxes.high[axis][b],
                               boxes.low[axis][b] - boxes.high[axis][a], Real(0)});
    distance2 += gap * gap;
  }
  return distance2 < cutoff2;
}

/// The quads in [first, end) whose boxes are closer to that of `home` than the cutoff, ascending.
std::size_t find_near(const QuadBoxes<float>& boxes, std::int32_t home, std::int32_t first,
                      std::int32_t end, float cutoff2, std::uint32_t* near) noexcept;
std::size_t find_near(const QuadBoxes<double>& boxes, std::int32_t home, std::int32_t first,
                      std::int32_t end, double cutoff2, std::uint32_t* near) noexcept;

/// Finds which of n partners (offsets of quads) have an atom closer than the cutoff to an atom of
/// the quad at offset `home`. They stay in their order.
std::size_t prune_row(const float* data, std::uint32_t home, const std::uint32_t* partners,
                      std::size_t n, float cutoff2, std::uint32_t* kept) noexcept;
std::size_t prune_row(const double* data, std::uint32_t home, const std::uint32_t* partners,
                      std::size_t n, double cutoff2, std::uint32_t* kept) noexcept;

}  // namespace fg
