// SPDX-License-Identifier: BSD-3-Clause
#include "particles/assignment/cut_space.hpp"

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "particles/assignment/midpoint_cells.hpp"

namespace fg {

namespace {

/// Ascending planes from one face of the box to the other, for a part of it along other axes.
std::vector<std::int32_t> planes_along(const SpaceSums& work, int axis, int count,
                                       CellSpace space) {
  const int patches = work.patches()[static_cast<std::size_t>(axis)];
  const double all = work.in(space);
  const auto share_below = [&](std::int64_t plane) {
    if (all <= 0) return static_cast<double>(plane) / CellCut::edge;  // nobody is here
    space[static_cast<std::size_t>(axis)].high = plane_in_patches(plane, patches);
    return work.in(space) / all;
  };
  const std::int64_t thinnest = CellCut::thinnest(patches);
  const std::int64_t thickest = std::int64_t{CellCut::thickest} * CellCut::edge / patches;
  std::vector<std::int32_t> planes{0};
  for (int i = 1; i < count; ++i) {
    std::int64_t under = 0, over = CellCut::edge;  // the plane is between
    while (over - under > 1) {
      const std::int64_t middle = (under + over) / 2;
      (share_below(middle) < static_cast<double>(i) / count ? under : over) = middle;
    }
    const std::int64_t others = count - i;  // cells above the plane
    const auto least = std::max(planes.back() + thinnest, CellCut::edge - others * thickest);
    const auto last = std::min(planes.back() + thickest, CellCut::edge - others * thinnest);
    planes.push_back(static_cast<std::int32_t>(std::clamp(over, least, last)));
  }
  planes.push_back(CellCut::edge);
  return planes;
}

}  // namespace

CellCut cut_space(const SpaceSums& work, const std::array<int, 3>& shape) {
  const auto& patches = work.patches();
  CellCut cut{.shape = shape, .planes = {}};
  std::vector<CellSpace> parts{work.whole()};
  for (int axis = 0; axis < 3; ++axis) {
    const auto a = static_cast<std::size_t>(axis);
    std::vector<CellSpace> next;
    for (const CellSpace& part : parts) {
      const auto planes = planes_along(work, axis, shape[a], part);
      cut.planes.insert(cut.planes.end(), planes.begin(), planes.end());
      for (std::size_t i = 1; i < planes.size(); ++i) {
        next.push_back(part);
        next.back()[a] = {.low = plane_in_patches(planes[i - 1], patches[a]),
                          .high = plane_in_patches(planes[i], patches[a])};
      }
    }
    parts = std::move(next);
  }
  return cut;
}

}  // namespace fg
