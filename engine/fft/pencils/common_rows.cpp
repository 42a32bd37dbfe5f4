// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencils/common_rows.hpp"

#include <algorithm>

namespace fg::fft {

namespace {

/// Whether a point is in a range, both wrapped onto 0 .. count - 1.
bool covers(Range range, int point, int count) noexcept {
  return wrap(point - range.begin, count) < range.size();
}

/// The shortest range that has all points of the ranges of blocks along z, wrapped. It is all of
/// the mesh but the longest gap. A gap ends where one of the ranges begins. `counts(block)`:
/// whether to look at a block.
template <class Counts>
Range covering_range(std::span<const GridBox> blocks, int count, const Counts& counts) noexcept {
  Range shortest{0, count};
  for (const GridBox& first : blocks) {
    if (!counts(first)) continue;
    const int begin = first.low[2];
    int gap = count;
    for (const GridBox& block : blocks) {
      if (!counts(block)) continue;
      const Range range = block.range(2);
      gap = std::min(gap, covers(range, begin - 1, count) ? 0 : wrap(begin - range.end, count));
    }
    const int low = wrap(begin, count);
    if (count - gap < shortest.size()) shortest = {low, low + count - gap};
  }
  return shortest;
}

}  // namespace

GridBox covering_block(const PencilGeometry& geometry, PencilIndex pencil,
                       std::span<const GridBox> blocks) noexcept {
  const std::array<Range, 2> parts{geometry.x_part(pencil[0]), geometry.y_part_of_z(pencil[1])};
  const auto& mesh = geometry.mesh();
  const auto touches = [&](const GridBox& block) {
    return block.size(2) > 0 && overlap(block.range(0), mesh[0], parts[0]) > 0 &&
           overlap(block.range(1), mesh[1], parts[1]) > 0;
  };
  GridBox all;
  for (std::size_t axis = 0; axis < 2; ++axis) {
    all.low[axis] = parts[axis].end;
    all.high[axis] = parts[axis].begin;
    for (const GridBox& block : blocks)
      if (touches(block))
        for_each_run(block.range(static_cast<int>(axis)), mesh[axis], parts[axis], [&](Run run) {
          all.low[axis] = std::min(all.low[axis], run.to);
          all.high[axis] = std::max(all.high[axis], run.to + run.size);
        });
    if (all.high[axis] <= all.low[axis]) return {};
  }
  const Range z = covering_range(blocks, mesh[2], touches);
  all.low[2] = z.begin;
  all.high[2] = z.end;
  return all;
}

}  // namespace fg::fft
