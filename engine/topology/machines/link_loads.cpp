// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/link_loads.hpp"

#include <algorithm>
#include <numeric>

#include "base/error.hpp"

namespace fg::topology {

namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

void load_nodes(const Machine& machine, int from, int to, const Traffic& one, LinkLoads& loads) {
  const double bytes = static_cast<double>(one.bytes);
  loads.bytes_from_node[as_index(from)] += bytes;
  loads.bytes_to_node[as_index(to)] += bytes;
  if (!machine.nodes_have_links()) return;
  for (const int link : {Machine::link_from(from), Machine::link_to(to)}) {
    loads.bytes[as_index(link)] += bytes;
    loads.messages[as_index(link)] += static_cast<double>(one.messages);
  }
  loads.hop_bytes += 2 * bytes;
}

void summarize_links(LinkLoads& loads) {
  if (loads.bytes.empty()) return;
  const auto heaviest = std::max_element(loads.bytes.begin(), loads.bytes.end());
  loads.heaviest_link = static_cast<int>(heaviest - loads.bytes.begin());
  loads.most_bytes = *heaviest;
  loads.most_messages = *std::max_element(loads.messages.begin(), loads.messages.end());
  const double links = static_cast<double>(loads.bytes.size());
  loads.mean_bytes = std::accumulate(loads.bytes.begin(), loads.bytes.end(), 0.0) / links;
  loads.mean_messages = std::accumulate(loads.messages.begin(), loads.messages.end(), 0.0) / links;
}

void summarize_nodes(const Machine& machine, LinkLoads& loads) {
  std::vector<double> most(as_index(machine.vertices())), sum(most.size());
  std::vector<int> links(most.size());
  for (int link = 0; link < machine.links(); ++link) {
    const std::size_t from = as_index(machine.link(link).from);
    most[from] = std::max(most[from], loads.bytes[as_index(link)]);
    sum[from] += loads.bytes[as_index(link)];
    ++links[from];
  }
  for (int node = 0; node < machine.nodes(); ++node) {
    const std::size_t at = as_index(machine.vertex(node));
    loads.most_bytes_of_node.push_back(most[at]);
    loads.mean_bytes_of_node.push_back(sum[at] / std::max(links[at], 1));
  }
}

}  // namespace

LinkLoads link_loads(const Machine& machine, std::span<const Traffic> traffic) {
  std::vector<int> nodes(as_index(machine.nodes()));
  std::iota(nodes.begin(), nodes.end(), 0);
  return link_loads(machine, traffic, nodes);
}

LinkLoads link_loads(const Machine& machine, std::span<const Traffic> traffic,
                     std::span<const int> node_of_rank) {
  LinkLoads loads;
  loads.bytes.resize(as_index(machine.links()));
  loads.messages.resize(as_index(machine.links()));
  loads.bytes_from_node.resize(as_index(machine.nodes()));
  loads.bytes_to_node.resize(as_index(machine.nodes()));
  const int ranks = static_cast<int>(node_of_rank.size());
  for (const int node : node_of_rank) FG_CHECK(node >= 0 && node < machine.nodes());
  for (const Traffic& one : traffic)
    FG_CHECK(one.from >= 0 && one.from < ranks && one.to >= 0 && one.to < ranks && one.bytes >= 0 &&
             one.messages >= 0);

  loads.hop_bytes = machine.load_links(traffic, node_of_rank, loads.bytes, loads.messages);
  for (const Traffic& one : traffic) {
    const int from = node_of_rank[as_index(one.from)], to = node_of_rank[as_index(one.to)];
    if (from != to) load_nodes(machine, from, to, one, loads);
  }
  summarize_links(loads);
  summarize_nodes(machine, loads);
  return loads;
}

std::vector<double> sums_over_ways(const Machine& machine, std::span<const Traffic> traffic,
                                   std::span<const int> node_of_rank,
                                   std::span<const double> value_of_link) {
  std::vector<double> sums = machine.sums_over_ways(traffic, node_of_rank, value_of_link);
  if (!machine.nodes_have_links()) return sums;
  for (const Traffic& one : traffic) {
    const int from = node_of_rank[as_index(one.from)], to = node_of_rank[as_index(one.to)];
    if (from == to) continue;
    const double value = value_of_link[as_index(Machine::link_from(from))] +
                         value_of_link[as_index(Machine::link_to(to))];
    sums[as_index(one.from)] += value * static_cast<double>(one.bytes);
    sums[as_index(one.to)] += value * static_cast<double>(one.bytes);
  }
  return sums;
}

}  // namespace fg::topology
