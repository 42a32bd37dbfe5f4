// SPDX-License-Identifier: BSD-3-Clause
//
// A rectangular block of mesh points, and how a block that hangs over the edges of a periodic mesh
// meets the part of the mesh that somebody owns.
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
  constexpr std::size_t volume() const noexcept {
    return static_cast<std::size_t>(size(0)) * size(1) * size(2);
  }
  friend constexpr bool operator==(const GridBox&, const GridBox&) noexcept = default;
};

/// `size` points that are consecutive on both sides: from `from` on in the block's own coordinates,
/// from `to` on in the mesh's.
struct Run {
  int from;
  int to;
  int size;
};

/// Calls visit(Run) for each stretch of `block` whose points, wrapped onto 0 .. count - 1, lie in
/// `owned`; in ascending order of the block's coordinates. Both sides of a message walk these, so
/// the data needs no description beyond the block.
template <class Visit>
constexpr void for_each_run(Range block, int count, Range owned, Visit&& visit) {
  if (block.size() <= 0 || owned.size() <= 0) return;
  // The first period that may hold a point of `owned` at or after block.begin.
  int base = block.begin - wrap(block.begin, count);
  for (; base + owned.begin < block.end; base += count) {
    const int begin = base + owned.begin > block.begin ? base + owned.begin : block.begin;
    const int end = base + owned.end < block.end ? base + owned.end : block.end;
    if (begin < end) visit(Run{begin, begin - base, end - begin});
  }
}

/// The least range of `block`'s own coordinates that holds all its points in `owned`; empty at its
/// beginning if there are none.
constexpr Range bounds_of_overlap(Range block, int count, Range owned) {
  Range bounds{block.begin, block.begin};
  for_each_run(block, count, owned, [&](Run run) {
    if (bounds.size() == 0) bounds.begin = run.from;
    bounds.end = run.from + run.size;
  });
  return bounds;
}

/// How many points of `block` fall into `owned`.
constexpr int overlap(Range block, int count, Range owned) {
  int points = 0;
  for_each_run(block, count, owned, [&](Run run) { points += run.size; });
  return points;
}

}  // namespace fg::fft
