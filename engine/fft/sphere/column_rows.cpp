// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/column_rows.hpp"

#include <limits>
#include <string>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"
#include "base/round_up.hpp"

namespace fg::fft {

SlabTurns turns_of(const SpherePlan& plan, int rank, SphereEnd end, std::size_t bytes) {
  const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(rank)];
  if (box.empty()) return {};
  if (end == SphereEnd::points) return {box.size(2), 1};
  const std::size_t column =
      static_cast<std::size_t>(box.size(0)) * static_cast<std::size_t>(box.size(1));
  return slab_turns(box.size(2), column, bytes, static_cast<int>(2 * simd_alignment / bytes));
}

bool crosses(const SpherePlan& plan, const SphereLine& line, int rank) {
  const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(rank)];
  return !box.empty() && box.range(0).contains(plan.plane_at(line.x));
}

ColumnRows::ColumnRows(const SpherePlan& plan, int rank, int fields, SphereEnd end,
                       std::size_t bytes)
    : turns_(turns_of(plan, rank, end, bytes)) {
  const GridBox& box = plan.y_boxes()[static_cast<std::size_t>(rank)];
  if (box.empty()) return;
  rows_.assign(static_cast<std::size_t>(box.size(0)),
               std::vector<Row>(static_cast<std::size_t>(box.size(1))));
  const std::size_t row = static_cast<std::size_t>(fields) * static_cast<std::size_t>(turns_.width);
  const auto turns = static_cast<std::size_t>(turns_.turns);
  for (int step = 0; step < plan.ranks(); ++step) {
    const int other = (rank + step) % plan.ranks();
    std::vector<Row*> here;
    for (const SphereLine& line : plan.lines_of(other))
      if (crosses(plan, line, rank))
        here.push_back(&rows_[static_cast<std::size_t>(plan.plane_at(line.x) - box.low[0])]
                             [static_cast<std::size_t>(line.y)]);
    if (here.empty()) continue;
    std::size_t next = bytes_ / bytes;
    const std::size_t numbers = here.size() * turns * row;
    if (next + numbers > static_cast<std::size_t>(std::numeric_limits<std::int32_t>::max()))
      throw InputError({.what = "the columns of a batch are too many numbers for one rank",
                        .value = "more than " + std::to_string(next + numbers),
                        .limit = std::to_string(std::numeric_limits<std::int32_t>::max()),
                        .hint = "use a smaller batch or more ranks"});
    for (Row* to : here) {
      *to = {static_cast<std::int32_t>(next), static_cast<std::int32_t>(here.size() * row)};
      next += row;
    }
    parcels_.push_back({other, bytes_, numbers * bytes});
    bytes_ += round_up(numbers * bytes, simd_alignment);
  }
}

}  // namespace fg::fft
