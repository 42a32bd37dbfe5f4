// SPDX-License-Identifier: BSD-3-Clause
//
// Where transforms end in real space, and how rows along z of a slab of planes are divided into
// turns. A turn is some z of all rows. They are few. So planes of x of these z stay in the second
// cache while lines along y and x pass through them.
#pragma once

#include <cstddef>

#include "fft/decomposition.hpp"

namespace fg::fft {

/// Rows are lines along z in a part's box, with waves of x and y. They are all that later lines
/// need of other parts.
enum class SphereEnd { points, rows };

/// The numbers of a row are `turns` times `width`; those beyond its last z are not used.
struct SlabTurns {
  int width = 0, turns = 0;

  /// The z of one turn, counted from the first one of the box.
  constexpr Range z(int turn, int size) const noexcept {
    return {turn * width, turn + 1 < turns ? (turn + 1) * width : size};
  }
};

/// The bytes that the planes of a turn may take.
inline constexpr std::size_t bytes_of_planes = std::size_t{512} << 10;

/// The turns of rows of `size` numbers, for planes of `column` numbers of `bytes` bytes at each z.
/// Widths are multiples of `lanes`. Among those whose planes are small enough, the one that wastes
/// the least is taken, and among these the largest.
constexpr SlabTurns slab_turns(int size, std::size_t column, std::size_t bytes,
                               int lanes) noexcept {
  SlabTurns best;
  if (size == 0) return best;
  int least = 0;
  for (int width = lanes;; width += lanes) {
    const bool fits = static_cast<std::size_t>(width) * column * bytes <= bytes_of_planes;
    if (width > lanes && !fits) return best;
    const int turns = (size + width - 1) / width;
    if (least == 0 || turns * width <= least) best = {width, turns}, least = turns * width;
    if (width >= size) return best;
  }
}

}  // namespace fg::fft
