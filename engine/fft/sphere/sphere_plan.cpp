// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/sphere_plan.hpp"

#include <map>
#include <utility>

namespace fg::fft {

namespace {

/// Boxes whole along y, if the next ones are `x_boxes`. Each rank keeps its z, if possible, and
/// ranks with the same z divide the planes of x. Then an exchange is among these ranks only.
std::vector<GridBox> boxes_along_y(const Grid& grid, const std::vector<GridBox>& x_boxes) {
  std::map<std::pair<int, int>, std::vector<std::size_t>> ranks_of_z;
  for (std::size_t rank = 0; rank < x_boxes.size(); ++rank)
    if (!x_boxes[rank].empty())
      ranks_of_z[{x_boxes[rank].low[2], x_boxes[rank].high[2]}].push_back(rank);
  std::vector<GridBox> boxes(x_boxes.size());
  int covered = 0, most = 0;
  for (const auto& [z, ranks] : ranks_of_z) {
    const int count = static_cast<int>(ranks.size());
    for (int k = 0; k < count; ++k) {
      const Range planes = share(grid[0], count, k);
      boxes[ranks[static_cast<std::size_t>(k)]] = {{planes.begin, 0, z.first},
                                                   {planes.end, grid[1], z.second}};
    }
    covered += z.second - z.first;
    most = std::max(most, count);
  }
  if (covered == grid[2] && most <= grid[0]) return boxes;
  return pencils(grid, 1, pencil_parts(grid, static_cast<int>(x_boxes.size())));
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
  y_boxes_ = whole_along(x_boxes_, 1, grid[1]) ? x_boxes_ : boxes_along_y(packed, x_boxes_);
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
