// SPDX-License-Identifier: BSD-3-Clause
//
// Loads of links on a machine of any kind, route by route. What one router sends to another is
// summed first, so that each route is looked for once.
#include <numeric>

#include "topology/machines/machine.hpp"

namespace fg::topology {

namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

/// Entries sorted by the router that sends, else in their own order.
struct BySender {
  BySender(const Machine& machine, std::span<const Traffic> traffic,
           std::span<const int> node_of_rank)
      : begin(as_index(machine.routers()) + 1), entries(traffic.size()) {
    const auto router = [&](const Traffic& one) {
      return as_index(machine.router(node_of_rank[as_index(one.from)]));
    };
    for (const Traffic& one : traffic) ++begin[router(one) + 1];
    std::partial_sum(begin.begin(), begin.end(), begin.begin());
    std::vector<std::size_t> next = begin;
    for (std::size_t i = 0; i < traffic.size(); ++i)
      entries[next[router(traffic[i])]++] = static_cast<std::uint32_t>(i);
  }

  std::vector<std::size_t> begin;  // where the entries of each router begin
  std::vector<std::uint32_t> entries;
};

/// What one router sends to each other one.
class FromRouter {
 public:
  explicit FromRouter(int routers) : place_(as_index(routers), -1) {}

  void add(int router, const Traffic& one) {
    int& place = place_[as_index(router)];
    if (place < 0) {
      place = static_cast<int>(sent_.size());
      sent_.push_back({.to = router});
    }
    sent_[as_index(place)].bytes += static_cast<double>(one.bytes);
    sent_[as_index(place)].messages += static_cast<double>(one.messages);
  }

  /// Returns bytes times hops.
  double send(const Machine& machine, int from, std::span<double> bytes,
              std::span<double> messages) {
    double hop_bytes = 0;
    for (const Sent& one : sent_) {
      place_[as_index(one.to)] = -1;
      hop_bytes += machine.router_hops(from, one.to) * one.bytes;
      route_.clear();
      machine.router_route(from, one.to, route_);
      for (const LinkShare& way : route_) {
        bytes[as_index(way.link)] += way.share * one.bytes;
        messages[as_index(way.link)] += way.share * one.messages;
      }
    }
    sent_.clear();
    return hop_bytes;
  }

 private:
  struct Sent {
    int to;
    double bytes = 0, messages = 0;
  };

  std::vector<int> place_;  // of a router in `sent_`
  std::vector<Sent> sent_;  // in the order of the entries
  std::vector<LinkShare> route_;
};

}  // namespace

double Machine::load_links(std::span<const Traffic> traffic, std::span<const int> node_of_rank,
                           std::span<double> bytes, std::span<double> messages) const {
  const BySender sorted(*this, traffic, node_of_rank);
  FromRouter sums(routers());
  double hop_bytes = 0;
  for (int from = 0; from < routers(); ++from) {
    for (std::size_t i = sorted.begin[as_index(from)]; i < sorted.begin[as_index(from) + 1]; ++i) {
      const Traffic& one = traffic[sorted.entries[i]];
      if (const int to = router(node_of_rank[as_index(one.to)]); to != from) sums.add(to, one);
    }
    hop_bytes += sums.send(*this, from, bytes, messages);
  }
  return hop_bytes;
}

std::vector<double> Machine::sums_over_ways(std::span<const Traffic> traffic,
                                            std::span<const int> node_of_rank,
                                            std::span<const double> value_of_link) const {
  std::vector<double> sums(node_of_rank.size());
  std::vector<LinkShare> route;
  for (const Traffic& one : traffic) {
    route.clear();
    router_route(router(node_of_rank[as_index(one.from)]), router(node_of_rank[as_index(one.to)]),
                 route);
    double value = 0;
    for (const LinkShare& way : route) value += way.share * value_of_link[as_index(way.link)];
    sums[as_index(one.from)] += value * static_cast<double>(one.bytes);
    sums[as_index(one.to)] += value * static_cast<double>(one.bytes);
  }
  return sums;
}

void Machine::sums_of_ways(std::span<const int> among, std::span<const double> value_of_link,
                           std::span<float> sums) const {
  std::vector<LinkShare> route;
  std::size_t pair = 0;
  for (const int from : among)
    for (const int to : among) {
      route.clear();
      router_route(from, to, route);
      double value = 0;
      for (const LinkShare& way : route) value += way.share * value_of_link[as_index(way.link)];
      sums[pair++] = static_cast<float>(value);
    }
}

}  // namespace fg::topology
