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

/// Where the entries of each router begin, after they are sorted by the router that sends.
struct BySender {
  std::vector<std::size_t> begin;
  std::vector<std::uint32_t> entries;
};

BySender sort_by_sender(const Machine& machine, std::span<const Traffic> traffic) {
  BySender sorted{.begin = std::vector<std::size_t>(as_index(machine.routers()) + 1),
                  .entries = std::vector<std::uint32_t>(traffic.size())};
  for (const Traffic& one : traffic) ++sorted.begin[as_index(machine.router(one.from)) + 1];
  std::partial_sum(sorted.begin.begin(), sorted.begin.end(), sorted.begin.begin());
  std::vector<std::size_t> next = sorted.begin;
  for (std::size_t i = 0; i < traffic.size(); ++i)
    sorted.entries[next[as_index(machine.router(traffic[i].from))]++] =
        static_cast<std::uint32_t>(i);
  return sorted;
}

/// What one router sends to each other one, summed so that each route is looked for once.
class FromRouter {
 public:
  explicit FromRouter(int routers)
      : bytes_(as_index(routers)), messages_(as_index(routers)), known_(as_index(routers)) {}

  void add(int router, const Traffic& one) {
    if (!known_[as_index(router)]) others_.push_back(router);
    known_[as_index(router)] = true;
    bytes_[as_index(router)] += static_cast<double>(one.bytes);
    messages_[as_index(router)] += static_cast<double>(one.messages);
  }

  void send(const Machine& machine, int from, LinkLoads& loads) {
    for (const int to : others_) {
      route_.clear();
      machine.router_route(from, to, route_);
      for (const LinkShare& way : route_) {
        loads.bytes[as_index(way.link)] += way.share * bytes_[as_index(to)];
        loads.messages[as_index(way.link)] += way.share * messages_[as_index(to)];
      }
      loads.hop_bytes += machine.router_hops(from, to) * bytes_[as_index(to)];
      bytes_[as_index(to)] = messages_[as_index(to)] = 0;
      known_[as_index(to)] = false;
    }
    others_.clear();
  }

 private:
  std::vector<double> bytes_, messages_;
  std::vector<bool> known_;
  std::vector<int> others_;  // in the order of the entries
  std::vector<LinkShare> route_;
};

void load_nodes(const Machine& machine, const Traffic& one, LinkLoads& loads) {
  const double bytes = static_cast<double>(one.bytes);
  loads.bytes_from_node[as_index(one.from)] += bytes;
  loads.bytes_to_node[as_index(one.to)] += bytes;
  if (!machine.nodes_have_links()) return;
  for (const int link : {Machine::link_from(one.from), Machine::link_to(one.to)}) {
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
  LinkLoads loads;
  loads.bytes.resize(as_index(machine.links()));
  loads.messages.resize(as_index(machine.links()));
  loads.bytes_from_node.resize(as_index(machine.nodes()));
  loads.bytes_to_node.resize(as_index(machine.nodes()));
  for (const Traffic& one : traffic)
    FG_CHECK(one.from >= 0 && one.from < machine.nodes() && one.to >= 0 &&
             one.to < machine.nodes() && one.bytes >= 0 && one.messages >= 0);

  const BySender sorted = sort_by_sender(machine, traffic);
  FromRouter sums(machine.routers());
  for (int router = 0; router < machine.routers(); ++router) {
    for (std::size_t i = sorted.begin[as_index(router)]; i < sorted.begin[as_index(router) + 1];
         ++i) {
      const Traffic& one = traffic[sorted.entries[i]];
      if (one.from == one.to) continue;
      load_nodes(machine, one, loads);
      sums.add(machine.router(one.to), one);
    }
    sums.send(machine, router, loads);
  }
  summarize_links(loads);
  summarize_nodes(machine, loads);
  return loads;
}

LinkLoads link_loads(const Machine& machine, std::span<const Traffic> traffic,
                     std::span<const int> node_of_rank) {
  std::vector<Traffic> on_nodes(traffic.begin(), traffic.end());
  for (Traffic& one : on_nodes) {
    one.from = node_of_rank[as_index(one.from)];
    one.to = node_of_rank[as_index(one.to)];
  }
  return link_loads(machine, on_nodes);
}

}  // namespace fg::topology
