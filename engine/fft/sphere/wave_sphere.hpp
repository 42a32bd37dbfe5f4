// SPDX-License-Identifier: BSD-3-Clause
//
// The plane waves of a cut-off: all G = x b1 + y b2 + z b3 with |G| <= G_max. Here x, y, z are
// integers, and b are the reciprocal vectors of any cell. Waves with the same x and y are a column,
// which has no gaps since a ball is convex. Real orbitals have coefficients with c(-G) = c(G)*, so
// one wave of each pair is kept: x > 0, or x = 0 and y > 0, or x = y = 0 and z >= 0.
#pragma once

#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "fft/decomposition.hpp"

namespace fg::fft {

/// Rows are the vectors b1, b2, b3, in any unit of inverse length, factor 2 pi included.
using ReciprocalVectors = std::array<std::array<double, 3>, 3>;

enum class SphereKind { full, half };

/// The waves (x, y, first), ..., (x, y, last). Indices may be negative; index k is point k modulo n
/// of an axis of n points.
struct Column {
  int x, y;
  int first, last;

  constexpr int waves() const noexcept { return last - first + 1; }
  friend constexpr bool operator==(const Column&, const Column&) noexcept = default;
};

class WaveSphere {
 public:
  /// `cutoff` is G_max, in the unit of the vectors. The same on all ranks. Throws InputError if the
  /// vectors are not finite or lie in a plane, or if the cut-off is negative or not finite. Throws
  /// it also if the grid is too small. An axis of n points holds the indices from -(n-1)/2 to
  /// (n-1)/2.
  WaveSphere(const Grid& grid, const ReciprocalVectors& vectors, double cutoff, SphereKind kind);

  const Grid& grid() const noexcept { return grid_; }
  SphereKind kind() const noexcept { return kind_; }
  /// The columns in ascending order of (x, y).
  std::span<const Column> columns() const noexcept { return columns_; }
  std::size_t waves() const noexcept { return waves_; }

 private:
  Grid grid_;
  SphereKind kind_;
  std::vector<Column> columns_;
  std::size_t waves_ = 0;
};

/// For each rank the columns it owns, as indices in ascending order. Columns are dealt out from the
/// longest to the shortest, each to the rank that has the fewest waves so far. So the numbers of
/// waves of two ranks differ by at most the longest column.
std::vector<std::vector<int>> share_columns(std::span<const Column> columns, int ranks);

}  // namespace fg::fft
