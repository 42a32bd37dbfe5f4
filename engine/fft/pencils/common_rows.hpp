// SPDX-License-Identifier: BSD-3-Clause
//
// Points that two blocks of a periodic mesh have in common.
#pragma once

#include <array>
#include <cstddef>
#include <span>

#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"

namespace fg::fft {

/// Rows along z that continue along y. It has their first number in each of the two blocks, z
/// fastest. From row to row it is a row of the block.
struct CommonRows {
  std::size_t in_one;
  std::size_t in_other;
  int rows;
  int length;
};

/// Calls visit(CommonRows) for all points of `one`, wrapped onto the mesh, that are in `other`.
/// `other` begins in the mesh and has no point twice.
template <class Visit>
void for_each_common(const GridBox& one, const GridBox& other, const std::array<int, 3>& mesh,
                     Visit&& visit) {
  const auto place = [](const GridBox& box, int x, int y, int z) {
    return (static_cast<std::size_t>(x - box.low[0]) * box.size(1) + (y - box.low[1])) *
               box.size(2) +
           (z - box.low[2]);
  };
  for_each_run(one.range(0), mesh[0], other.range(0), [&](Run x) {
    for (int i = 0; i < x.size; ++i)
      for_each_run(one.range(1), mesh[1], other.range(1), [&](Run y) {
        for_each_run(one.range(2), mesh[2], other.range(2), [&](Run z) {
          visit(CommonRows{place(one, x.from + i, y.from, z.from),
                           place(other, x.to + i, y.to, z.to), y.size, z.size});
        });
      });
  });
}

/// The smallest block with all points of `blocks` that a z-pencil owns. It begins in the mesh, and
/// may reach beyond its upper edge along z. Empty if the pencil owns none of them.
GridBox covering_block(const PencilGeometry& geometry, PencilIndex pencil,
                       std::span<const GridBox> blocks) noexcept;

}  // namespace fg::fft
