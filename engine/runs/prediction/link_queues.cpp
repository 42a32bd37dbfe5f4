// SPDX-License-Identifier: BSD-3-Clause
#include "runs/prediction/link_queues.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace fg {

LinkQueues::Rate LinkQueues::rate_of(const topology::Speed& speed) {
  constexpr double picoseconds = 1e12;
  return {.picoseconds_a_byte = picoseconds / speed.bandwidth,
          .latency = std::llround(picoseconds * speed.latency)};
}

LinkQueues::LinkQueues(const topology::Machine& machine)
    : machine_(machine), injection_(rate_of(machine.injection())) {
  const auto links = static_cast<std::size_t>(machine.links());
  rates_.reserve(links);
  for (int link = 0; link < machine.links(); ++link)
    rates_.push_back(rate_of(machine.link(link).speed));
  const std::size_t entries =
      machine.nodes_have_links() ? 0 : static_cast<std::size_t>(machine.nodes());
  free_.resize(links + entries);
  busy_.resize(links + entries);
}

std::int64_t LinkQueues::pass(std::size_t link, const Rate& rate, std::int64_t bytes,
                              std::int64_t& longest, std::int64_t time) {
  const auto carried =
      static_cast<std::int64_t>(rate.picoseconds_a_byte * static_cast<double>(bytes));
  longest = std::max(longest, carried);
  const std::int64_t start = std::max(time, free_[link]);
  free_[link] = start + carried;
  busy_[link] += carried;
  return start + rate.latency;
}

std::int64_t LinkQueues::arrival(int from_node, int to_node, std::int64_t bytes,
                                 std::int64_t time) {
  if (from_node == to_node) return time;
  std::int64_t longest = 0;
  if (!machine_.nodes_have_links()) {
    const auto entry = static_cast<std::size_t>(machine_.links() + from_node);
    time = pass(entry, injection_, bytes, longest, time) + injection_.latency;  // at both ends
  }
  way_.clear();
  machine_.usual_way(from_node, to_node, way_);
  for (const int link : way_) {
    const auto number = static_cast<std::size_t>(link);
    time = pass(number, rates_[number], bytes, longest, time);
  }
  return time + longest;
}

}  // namespace fg
