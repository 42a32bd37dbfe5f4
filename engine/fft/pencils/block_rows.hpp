// SPDX-License-Identifier: BSD-3-Clause
//
// Where the points of a block are among the lines of a z-pencil. Lines lie one after the other, x
// fastest, each with all z. Two lines at a time are transformed together. If their number is odd,
// the last one shares its transform with a line of zeros behind it.
#pragma once

#include <algorithm>
#include <cstddef>

#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"

namespace fg::fft {

class BlockRows {
 public:
  BlockRows() = default;
  /// Leaves `gap` numbers between two lines.
  BlockRows(const PencilGeometry& geometry, PencilIndex index, int gap = 0) noexcept
      : mesh_(geometry.mesh()),
        x_(geometry.x_part(index[0])),
        y_(geometry.y_part_of_z(index[1])),
        room_(geometry.mesh()[2] + gap) {}

  int lines() const noexcept { return x_.size() * y_.size(); }
  /// Numbers in a line.
  int length() const noexcept { return mesh_[2]; }
  /// Numbers from one line to the next.
  int room() const noexcept { return room_; }
  /// Numbers in all lines, with that of zeros.
  std::size_t stored_points() const noexcept {
    return static_cast<std::size_t>((lines() + 1) / 2 * 2) * room();
  }

  /// Rows of a block, along z, that continue along y. It has their first number in the whole block,
  /// in the block's points in this pencil, and in the lines. In the first two, z is fastest. From
  /// row to row it is a row of the block in the first two, and `next_y()` in the lines.
  struct Stretch {
    std::size_t in_block;
    std::size_t in_share;
    std::size_t in_lines;
    int rows;
    int length;
  };
  std::ptrdiff_t next_y() const noexcept { return static_cast<std::ptrdiff_t>(x_.size()) * room_; }

  /// The number of points of `block` in this pencil; the block may extend over the mesh's edges.
  std::size_t points_of(const GridBox& block) const noexcept {
    return static_cast<std::size_t>(overlap(block.range(0), mesh_[0], x_)) *
           overlap(block.range(1), mesh_[1], y_) * std::max(0, block.size(2));
  }

  /// Calls visit(x, y, line, rows) for all rows of `block` along z in this pencil. The first row is
  /// at x and y from the block's corner, and `line` is the number of its line. Each of the `rows`
  /// is at the next y, and next_y() later in the lines.
  template <class Visit>
  void for_each_row(const GridBox& block, Visit&& visit) const {
    for_each_run(block.range(0), mesh_[0], x_, [&](Run run_x) {
      for (int x = 0; x < run_x.size; ++x)
        for_each_run(block.range(1), mesh_[1], y_, [&](Run run_y) {
          visit(run_x.from + x - block.low[0], run_y.from - block.low[1],
                line_at(run_x.to + x, run_y.to), run_y.size);
        });
    });
  }

  /// Calls visit(Stretch) for all points of `block` in this pencil; x and y of the block ascend.
  template <class Visit>
  void for_each(const GridBox& block, Visit&& visit) const {
    const int nz = mesh_[2];
    const std::size_t row = block.size(2), plane = row * block.size(1);
    std::size_t share = 0;
    for_each_row(block, [&](int x, int y, std::size_t line, int rows) {
      const std::size_t corner = x * plane + y * row;
      for_each_run(block.range(2), nz, {0, nz}, [&](Run run_z) {
        const std::size_t z = run_z.from - block.low[2];
        visit(Stretch{corner + z, share + z, line * room_ + run_z.to, rows, run_z.size});
      });
      share += row * rows;
    });
  }

 private:
  std::size_t line_at(int x, int y) const noexcept {
    return static_cast<std::size_t>(y - y_.begin) * x_.size() + (x - x_.begin);
  }

  std::array<int, 3> mesh_{};
  Range x_, y_;
  int room_ = 0;
};

}  // namespace fg::fft
