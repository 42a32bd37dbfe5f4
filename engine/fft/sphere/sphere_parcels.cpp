// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/sphere_parcels.hpp"

#include "fft/redistribution.hpp"
#include "fft/sphere/column_rows.hpp"

namespace fg::fft {

namespace {

/// Lines along z to boxes that are whole along y (column_exchange.hpp).
void add_columns(const SpherePlan& plan, std::size_t bytes_of_point, SphereEnd end,
                 std::size_t bytes, std::vector<SphereParcel>& parcels) {
  const auto planes = plan.planes().size();
  for (int from = 0; from < plan.ranks(); ++from) {
    // The lines of this rank in all planes of x before each one.
    std::vector<std::size_t> before(planes + 1);
    for (const SphereLine& line : plan.lines_of(from))
      ++before[static_cast<std::size_t>(plan.plane_at(line.x)) + 1];
    for (std::size_t x = 0; x < planes; ++x) before[x + 1] += before[x];
    for (int to = 0; to < plan.ranks(); ++to) {
      const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(to)];
      if (to == from || box.empty()) continue;
      const std::size_t lines = before[static_cast<std::size_t>(box.high[0])] -
                                before[static_cast<std::size_t>(box.low[0])];
      const SlabTurns turns = turns_of(plan, to, end, bytes);
      const std::size_t points =
          lines * static_cast<std::size_t>(turns.turns) * static_cast<std::size_t>(turns.width);
      if (points > 0) parcels.push_back({from, to, points * bytes_of_point});
    }
  }
}

void add_boxes(const std::vector<GridBox>& before, const std::vector<GridBox>& after,
               std::size_t bytes_of_point, std::vector<SphereParcel>& parcels) {
  if (before == after) return;
  for (int from = 0; from < static_cast<int>(before.size()); ++from)
    for (const Piece& piece : redistribute(before, after, from).sends)
      parcels.push_back({from, piece.rank, piece.box.volume() * bytes_of_point});
}

}  // namespace

std::vector<SphereParcel> parcels_of(const SpherePlan& plan, int fields, SphereEnd end,
                                     std::size_t bytes) {
  const std::size_t bytes_of_point = static_cast<std::size_t>(fields) * bytes;
  std::vector<SphereParcel> parcels;
  add_columns(plan, bytes_of_point, end, bytes, parcels);
  if (end == SphereEnd::rows) return parcels;
  add_boxes(plan.y_boxes(), plan.x_boxes(), bytes_of_point, parcels);
  add_boxes(plan.full_boxes(), plan.points(), bytes_of_point, parcels);
  return parcels;
}

}  // namespace fg::fft
