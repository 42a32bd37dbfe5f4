// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/sphere_plan.hpp"

#include <set>
#include <utility>

namespace fg::fft {

namespace {

/// Numbers of parts along x and z for boxes whole along y, if the next ones are `x_boxes`. As many
/// along z as those have, if possible: then an exchange is among ranks with the same z only.
std::array<int, 2> parts_for(const Grid& grid, const std::vector<GridBox>& x_boxes) {
  const int ranks = static_cast<int>(x_boxes.size());
  std::set<std::pair<int, int>> ranges;
  for (const GridBox& box : x_boxes)
    if (!box.empty()) ranges.insert({box.low[2], box.high[2]});
  const int of_z = static_cast<int>(ranges.size());
  if (of_z > 0 && ranks % of_z == 0 && ranks / of_z <= grid[0]) return {ranks / of_z, of_z};
  return pencil_parts(grid, ranks);
}

}  // namespace

std::vector<GridBox> boxes_for_sphere(const Grid& grid, int ranks) {
  if (ranks <= grid[2]) return slabs(grid, 2, ranks);
  return pencils(grid, 0, pencil_parts(grid, ranks));
}

SpherePlan::SpherePlan(WaveSphere sphere, std::vector<GridBox> points)
    : sphere_(std::move(sphere)), points_(std::move(points)) {
  const Grid& grid = sphere_.grid();
  require_partition(grid, points_, "point");
  columns_ = share_columns(sphere_.columns(), ranks());
  plane_at_.assign(static_cast<std::size_t>(grid[0]), -1);
  for (int rank = 0; rank < ranks(); ++rank)
    for (const SphereLine& line : lines_of(rank)) plane_at_[static_cast<std::size_t>(line.x)] = 0;
  for (int x = 0; x < grid[0]; ++x) {
    int& plane = plane_at_[static_cast<std::size_t>(x)];
    if (plane < 0) continue;
    plane = static_cast<int>(planes_.size());
    planes_.push_back(x);
  }
  const int planes = static_cast<int>(planes_.size());
  full_boxes_ = whole_along(points_, 0, grid[0]) ? points_ : boxes_for_sphere(grid, ranks());
  x_boxes_ = full_boxes_;
  for (GridBox& box : x_boxes_)
    if (!box.empty()) box.high[0] = planes;
  const Grid packed{planes, grid[1], grid[2]};
  y_boxes_ = whole_along(x_boxes_, 1, grid[1]) ? x_boxes_
                                               : pencils(packed, 1, parts_for(packed, x_boxes_));
}

std::size_t SpherePlan::waves_of(int rank) const noexcept {
  std::size_t waves = 0;
  for (const int column : columns_of(rank))
    waves += static_cast<std::size_t>(sphere_.columns()[static_cast<std::size_t>(column)].waves());
  return waves;
}

std::vector<std::array<int, 3>> SpherePlan::indices_of(int rank) const {
  std::vector<std::array<int, 3>> indices;
  indices.reserve(waves_of(rank));
  for (const int column : columns_of(rank)) {
    const Column& c = sphere_.columns()[static_cast<std::size_t>(column)];
    for (int z = c.first; z <= c.last; ++z) indices.push_back({c.x, c.y, z});
  }
  return indices;
}

std::vector<SphereLine> SpherePlan::lines_of(int rank) const {
  const Grid& grid = sphere_.grid();
  const bool half = sphere_.kind() == SphereKind::half;
  std::vector<SphereLine> lines;
  for (const int column : columns_of(rank)) {
    const Column& c = sphere_.columns()[static_cast<std::size_t>(column)];
    lines.push_back({wrap(c.x, grid[0]), wrap(c.y, grid[1])});
    if (half && (c.x != 0 || c.y != 0)) lines.push_back({wrap(-c.x, grid[0]), wrap(-c.y, grid[1])});
  }
  return lines;
}

}  // namespace fg::fft
