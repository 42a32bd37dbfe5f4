// SPDX-License-Identifier: BSD-3-Clause
#include "fft/traffic.hpp"

#include <algorithm>

#include "fft/redistribution.hpp"

namespace fg::fft {

std::vector<Traffic> traffic_of(const TransformPlan& plan) {
  std::vector<Traffic> all;
  const std::vector<Stage>& stages = plan.stages();
  for (std::size_t s = 1; s < stages.size(); ++s) {
    Traffic most;
    most.real = stages[s].arrives_real;
    for (int rank = 0; rank < plan.ranks(); ++rank) {
      const Redistribution mine = redistribute(stages[s - 1].after, stages[s].before, rank);
      std::size_t points = 0;
      for (const Piece& piece : mine.sends) points += piece.box.volume();
      most.messages = std::max(most.messages, static_cast<int>(mine.sends.size()));
      most.points = std::max(most.points, points);
    }
    all.push_back(most);
  }
  return all;
}

double largest_share(const TransformPlan& plan) {
  double share = 0;
  for (const Stage& stage : plan.stages()) {
    if (stage.axes.empty()) continue;
    std::size_t largest = 0, whole = 0;
    for (const GridBox& box : stage.before) {
      const std::size_t points = box.empty() ? 0 : box.volume();
      largest = std::max(largest, points);
      whole += points;
    }
    share = std::max(share, static_cast<double>(largest) / static_cast<double>(whole));
  }
  return share;
}

}  // namespace fg::fft
