// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/node_costs.hpp"

#include <algorithm>
#include <utility>

namespace fg::topology {

namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace

NodeCosts::NodeCosts(const RankGraph& graph, const Machine& machine, std::span<const int> nodes)
    : graph_(graph),
      machine_(machine),
      hops_of_nodes_(machine.nodes_have_links() ? 2 : 0),
      costs_(nodes.size()) {
  routers_.reserve(nodes.size());
  for (const int node : nodes) routers_.push_back(machine.router(node));
  for (HopAxis& hops : machine.hop_axes()) {
    const std::size_t positions = as_index(hops.positions);
    Axis axis{.hops = std::move(hops),
              .position_of_place = {},
              .bytes = std::vector<double>(positions),
              .costs = std::vector<double>(positions)};
    axis.position_of_place.reserve(routers_.size());
    for (const int router : routers_)
      axis.position_of_place.push_back(axis.hops.position_of_router[as_index(router)]);
    axes_.push_back(std::move(axis));
  }
}

int NodeCosts::hops(int place, int other) const {
  if (place == other) return 0;
  if (axes_.empty())
    return hops_of_nodes_ +
           machine_.router_hops(routers_[as_index(place)], routers_[as_index(other)]);
  int sum = hops_of_nodes_;
  for (const Axis& axis : axes_)
    sum += axis.hops.hops(axis.position_of_place[as_index(place)],
                          axis.position_of_place[as_index(other)]);
  return sum;
}

void NodeCosts::add_costs_along(Axis& axis, int rank, std::span<const int> place_of_rank) {
  std::ranges::fill(axis.bytes, 0);
  double all = 0;
  for (const auto& partner : graph_.partners(rank)) {
    const int place = place_of_rank[as_index(partner.rank)];
    axis.bytes[as_index(axis.position_of_place[as_index(place)])] +=
        static_cast<double>(partner.bytes);
    all += static_cast<double>(partner.bytes);
  }
  if (axis.hops.by_difference.empty()) {
    for (std::size_t to = 0; to < axis.costs.size(); ++to)
      axis.costs[to] = axis.hops.apart * (all - axis.bytes[to]);
  } else {
    std::ranges::fill(axis.costs, 0);
    for (std::size_t from = 0; from < axis.bytes.size(); ++from) {
      if (axis.bytes[from] == 0) continue;
      const int* const hops = axis.hops.by_difference.data() + axis.bytes.size() - 1 - from;
      for (std::size_t to = 0; to < axis.costs.size(); ++to)
        axis.costs[to] += axis.bytes[from] * hops[to];
    }
  }
  for (std::size_t place = 0; place < costs_.size(); ++place)
    costs_[place] += axis.costs[as_index(axis.position_of_place[place])];
}

void NodeCosts::add_costs_of_nodes(int rank, std::span<const int> place_of_rank) {
  double all = 0;
  for (const auto& partner : graph_.partners(rank)) {
    const double cost = hops_of_nodes_ * static_cast<double>(partner.bytes);
    costs_[as_index(place_of_rank[as_index(partner.rank)])] -= cost;
    all += cost;
  }
  for (double& cost : costs_) cost += all;
}

void NodeCosts::add_costs_of_pairs(int rank, std::span<const int> place_of_rank) {
  for (const auto& partner : graph_.partners(rank)) {
    const int router = routers_[as_index(place_of_rank[as_index(partner.rank)])];
    for (std::size_t place = 0; place < costs_.size(); ++place)
      costs_[place] +=
          static_cast<double>(partner.bytes) * machine_.router_hops(router, routers_[place]);
  }
}

std::span<const double> NodeCosts::of(int rank, std::span<const int> place_of_rank) {
  std::ranges::fill(costs_, 0);
  for (Axis& axis : axes_) add_costs_along(axis, rank, place_of_rank);
  if (axes_.empty()) add_costs_of_pairs(rank, place_of_rank);
  if (hops_of_nodes_ > 0) add_costs_of_nodes(rank, place_of_rank);
  return costs_;
}

}  // namespace fg::topology
