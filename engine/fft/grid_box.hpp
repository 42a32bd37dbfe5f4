// SPDX-License-Identifier: BSD-3-Clause
//
// A rectangular block of mesh points, and its overlap with the part of a periodic mesh that an
// object owns. The block may reach over the edges of the mesh.
#pragma once

#include <array>
#include <cstddef>

#include "fft/partition.hpp"

namespace fg::fft {

/// Points low <= p < high per axis; may reach below 0 or beyond the mesh, and is wrapped when used.
struct GridBox {
  std::array<int, 3> low{};
  std::array<int, 3> high{};

  constexpr int size(int axis) const noexcept { return high[axis] - low[axis]; }
  constexpr Range range(int axis) const noexcept { return {low[axis], high[axis]}; }
  constexpr bool empty() const noexcept {
    return high[0] <= low[0] || high[1] <= low[1] || high[2] <= low[2];
  }
  constexpr std::size_t volume() const noexcept {
    return static_cast<std::size_t>(size(0)) * size(1) * size(2);
  }
  friend constexpr bool operator==(const GridBox&, const GridBox&) noexcept = default;
};

/// Whether no two of its points are the same one of the mesh.
constexpr bool has_each_point_once(const GridBox& box, const std::array<int, 3>& mesh) noexcept {
  return box.size(0) <= mesh[0] && box.size(1) <= mesh[1] && box.size(2) <= mesh[2];
}

/// `size` points that are consecutive on both sides. They begin at `from` in the block's own
/// coordinates, and at `to` in the mesh's coordinates.
struct Run {
  int from;
  int to;
  int size;
};

/// Calls visit(Run) for each stretch of `block` whose points, wrapped onto 0 .. count - 1, lie in
/// `owned`. Runs are in ascending order of the block's coordinates. The sender and the receiver of
/// a message both visit the runs in this order. So the message needs no description beyond the
/// block. `owned` begins in the mesh, has at most `count` points and may reach beyond the upper
/// edge. `to` is in the coordinates of `owned`.
template <class Visit>
constexpr void for_each_run(Range block, int count, Range owned, Visit&& visit) {
  if (block.size() <= 0 || owned.size() <= 0) return;
  // The first period that may hold a point of `owned` at or after block.begin.
  int base = block.begin - wrap(block.begin, count) - (owned.end > count ? count : 0);
  for (; base + owned.begin < block.end; base += count) {
    const int begin = base + owned.begin > block.begin ? base + owned.begin : block.begin;
    const int end = base + owned.end < block.end ? base + owned.end : block.end;
    if (begin < end) visit(Run{begin, begin - base, end - begin});
  }
}

/// The smallest range of `block`'s own coordinates that holds all its points in `owned`. If there
/// are none, it is an empty range at the beginning of the block.
constexpr Range bounds_of_overlap(Range block, int count, Range owned) {
  Range bounds{block.begin, block.begin};
  for_each_run(block, count, owned, [&](Run run) {
    if (bounds.size() == 0) bounds.begin = run.from;
    bounds.end = run.from + run.size;
  });
  return bounds;
}

/// The number of points of `block` in `owned`.
constexpr int overlap(Range block, int count, Range owned) {
  int points = 0;
  for_each_run(block, count, owned, [&](Run run) { points += run.size; });
  return points;
}

}  // namespace fg::fft
