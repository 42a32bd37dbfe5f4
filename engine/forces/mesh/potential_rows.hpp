// SPDX-License-Identifier: BSD-3-Clause
//
// Where the potential at the points of a block is: in rows along z, each at a place of its own. So
// it can be read from the lines of pencils without a copy.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "forces/mesh/spline_table.hpp"

namespace fg {

/// This many numbers behind a line repeat it from its beginning. So a row that begins anywhere in
/// the line is as long as padded weights.
inline constexpr int line_halo = 8;
static_assert(line_halo >= padded_order(max_spline_order) - 1);

template <class Real>
class PotentialRows {
 public:
  /// The block, counted from the frame's corner. Its rows and places are to be set next.
  void begin(const std::array<int, 3>& low, const std::array<int, 3>& size) {
    low_ = low;
    columns_ = size[1];
    rows_.resize(static_cast<std::size_t>(size[0]) * static_cast<std::size_t>(size[1]));
    places_.resize(static_cast<std::size_t>(size[2]));
  }
  bool empty() const noexcept { return rows_.empty(); }

  /// The row of a point, counted from the corner of the block.
  const Real*& row(int x, int y) noexcept {
    return rows_[static_cast<std::size_t>(x) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(y)];
  }
  /// Where point z is in each row, from the corner of the block. As many numbers as padded weights
  /// follow each other from there.
  std::int32_t& place(int z) noexcept { return places_[static_cast<std::size_t>(z)]; }

  /// The rows of a dense block.
  void set(const GridView<const Real>& block) {
    begin(block.low, block.size);
    const Real* row = block.values;
    for (const Real*& first : rows_) first = row, row += block.size[2];
    for (int z = 0; z < block.size[2]; ++z) place(z) = z;
  }

  /// The rows of the points of an atom. The rows of the next y follow, and the rows of the next x
  /// are columns() later. `corner` is of a cluster, as in SplineTable.
  const Real* const* rows_of(const std::int32_t* corner, int lane) const noexcept {
    return rows_.data() + std::ptrdiff_t{corner[lane] - low_[0]} * columns_ +
           (corner[8 + lane] - low_[1]);
  }
  std::ptrdiff_t place_of(const std::int32_t* corner, int lane) const noexcept {
    return places_[static_cast<std::size_t>(corner[16 + lane] - low_[2])];
  }
  std::ptrdiff_t columns() const noexcept { return columns_; }

 private:
  std::array<int, 3> low_{};
  int columns_ = 0;
  std::vector<const Real*> rows_;     // [x][y]
  std::vector<std::int32_t> places_;  // [z]
};

}  // namespace fg
