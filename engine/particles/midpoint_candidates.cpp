// SPDX-License-Identifier: BSD-3-Clause
#include "particles/midpoint_candidates.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>

#include "particles/midpoints.hpp"

namespace fg {

namespace {

/// From a number to another one, both included; none if the first is the larger.
struct Reaches {
  std::int64_t low = std::numeric_limits<std::int64_t>::max() / 4;
  std::int64_t high = std::numeric_limits<std::int64_t>::min() / 4;

  void include(std::int64_t from, std::int64_t to) noexcept {
    low = std::min(low, from);
    high = std::max(high, to);
  }
};

/// Along an axis: by offset of a patch, what the sums of a reference there and one in any of the
/// patches have to be for a midpoint in the cell.
class SumsAlong {
 public:
  SumsAlong(const MidpointCell& cell, std::span<const MidpointSide> sides, std::size_t axis) {
    int last = sides.front().offset[axis];
    first_ = last;
    for (const MidpointSide& side : sides) {
      first_ = std::min(first_, side.offset[axis]);
      last = std::max(last, side.offset[axis]);
    }
    for (int a = first_; a <= last; ++a) {
      Reaches& sums = sums_.emplace_back();
      for (int b = first_; b <= last; ++b)
        if (const auto limits = cell.along(axis, a, b)) sums.include(limits->low, limits->high);
    }
  }
  const Reaches& of(int offset) const noexcept {
    return sums_[static_cast<std::size_t>(offset - first_)];
  }

 private:
  int first_ = 0;
  std::vector<Reaches> sums_;
};

}  // namespace

void MidpointCandidates::find(const MidpointCell& cell, std::span<const MidpointSide> sides,
                              const Vec3& widths, double cutoff) {
  const std::array<SumsAlong, 3> sums{SumsAlong(cell, sides, 0), SumsAlong(cell, sides, 1),
                                      SumsAlong(cell, sides, 2)};
  // Two atoms of a pair are at most so far apart, and their references by the spreads more.
  std::array<std::int64_t, 3> apart{};
  for (int axis = 0; axis < 3; ++axis)
    apart[static_cast<std::size_t>(axis)] =
        static_cast<std::int64_t>(1.0001 * cutoff / widths[axis] * patch_length) + 64;
  PatchPoint widest{};
  for (const MidpointSide& side : sides)
    for (const QuadPlace& quad : side.quads)
      for (std::size_t axis = 0; axis < 3; ++axis)
        widest[axis] = std::max(widest[axis], quad.spread[axis]);
  points_.clear();
  holds_.clear();
  quads_.clear();
  first_.assign(1, 0);
  for (const MidpointSide& side : sides) {
    for (std::size_t quad = 0; quad < side.quads.size(); ++quad) {
      const PatchPoint& point = points_.emplace_back(from_middle(side, quad));
      bool near = true;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        // Twice the reference is the sum of both references and their difference.
        const std::int64_t twice = 2 * std::int64_t{point[axis]};
        const std::int64_t away = apart[axis] + widest[axis] + side.quads[quad].spread[axis];
        const Reaches& sum = sums[axis].of(side.offset[axis]);
        near = near && twice >= sum.low - away && twice <= sum.high + away;
      }
      holds_.push_back(near);
      if (near) quads_.push_back(static_cast<std::int32_t>(points_.size()) - 1);
    }
    first_.push_back(static_cast<std::int32_t>(quads_.size()));
  }
}

}  // namespace fg
