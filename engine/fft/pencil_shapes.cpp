// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencil_shapes.hpp"

#include <algorithm>
#include <cstdlib>

namespace fg::fft {

namespace {

bool same_stages(const TransformPlan& a, const TransformPlan& b) {
  return std::equal(a.stages().begin(), a.stages().end(), b.stages().begin(), b.stages().end(),
                    [](const Stage& s, const Stage& t) {
                      return s.before == t.before && s.after == t.after && s.axes == t.axes;
                    });
}

}  // namespace

std::vector<std::array<int, 2>> squarest_parts(int ranks) {
  std::vector<std::array<int, 2>> all;
  for (int a = 1; a <= ranks; ++a)
    if (ranks % a == 0) all.push_back({a, ranks / a});
  std::stable_sort(all.begin(), all.end(), [](const auto& p, const auto& q) {
    return std::abs(p[0] - p[1]) < std::abs(q[0] - q[1]);
  });
  return all;
}

std::vector<std::array<int, 2>> pencil_shapes(const TransformBoxes& boxes) {
  constexpr std::size_t most = 5;
  std::vector<TransformPlan> plans{TransformPlan(boxes)};
  for (const auto& parts : squarest_parts(plans[0].ranks())) {
    if (boxes.parts || plans.size() == most) break;
    TransformBoxes other = boxes;
    other.parts = parts;
    TransformPlan plan(std::move(other));
    if (std::none_of(plans.begin(), plans.end(),
                     [&](const TransformPlan& p) { return same_stages(p, plan); }))
      plans.push_back(std::move(plan));
  }
  std::vector<std::array<int, 2>> shapes;
  shapes.reserve(plans.size());
  for (const TransformPlan& plan : plans) shapes.push_back(plan.parts());
  return shapes;
}

}  // namespace fg::fft
