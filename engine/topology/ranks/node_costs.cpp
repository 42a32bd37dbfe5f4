// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/node_costs.hpp"

#include <algorithm>
#include <utility>

namespace fg::topology {

namespace {

constexpr int hops_of_nodes = 2;  // between a node and its router, at both ends

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace

NodeCosts::NodeCosts(const RankGraph& graph, const Machine& machine, std::span<const int> nodes,
                     std::size_t most_kept)
    : graph_(graph), machine_(machine), bytes_(as_index(graph.ranks())) {
  const auto add = [&](HopAxis hops, bool of_pairs, const auto& position) {
    Axis axis{.hops = std::move(hops), .position_of_place = {}, .of_pairs = of_pairs};
    axis.bytes.resize(axis.positions());
    axis.costs.resize(axis.positions());
    axis.position_of_place.reserve(nodes.size());
    for (std::size_t place = 0; place < nodes.size(); ++place)
      axis.position_of_place.push_back(position(axis, place));
    axes_.push_back(std::move(axis));
  };
  for (HopAxis& hops : machine.hop_axes())
    add(std::move(hops), false, [&](const Axis& axis, std::size_t place) {
      return axis.hops.position_of_router[as_index(machine.router(nodes[place]))];
    });
  if (axes_.empty())
    add({.positions = machine.routers()}, true,
        [&](const Axis&, std::size_t place) { return machine.router(nodes[place]); });
  if (machine.nodes_have_links())
    add({.positions = static_cast<int>(nodes.size()), .apart = hops_of_nodes}, false,
        [](const Axis&, std::size_t place) { return static_cast<int>(place); });
  std::ranges::stable_sort(axes_, {}, &Axis::positions);

  std::vector<std::vector<int>> positions;
  positions.reserve(axes_.size());
  for (Axis& axis : axes_) {
    positions.push_back(axis.position_of_place);
    axis.is_kept = (row_ + axis.positions()) * as_index(graph.ranks()) <= most_kept;
    if (axis.is_kept) axis.begin = std::exchange(row_, row_ + axis.positions());
  }
  tree_ = PlaceTree(positions);
  kept_.resize(row_ * as_index(graph.ranks()));
  costs_.resize(axes_.size());
  least_.resize(axes_.size());
  for (int rank = 0; rank < graph.ranks(); ++rank)
    for (const auto& partner : graph.partners(rank))
      bytes_[as_index(rank)] += static_cast<double>(partner.bytes);
}

int NodeCosts::hops_on(const Axis& axis, int position, int other) const {
  return axis.of_pairs ? machine_.router_hops(position, other) : axis.hops.hops(position, other);
}

int NodeCosts::hops(int place, int other) const {
  int sum = 0;
  for (const Axis& axis : axes_) sum += hops_on(axis, axis.at(place), axis.at(other));
  return sum;
}

void NodeCosts::count_bytes(Axis& axis, int rank) const {
  for (const auto& partner : graph_.partners(rank))
    axis.bytes[as_index(axis.at(place_of_rank_[as_index(partner.rank)]))] +=
        static_cast<double>(partner.bytes);
}

void NodeCosts::count_costs(Axis& axis, int rank) const {
  count_bytes(axis, rank);
  if (!axis.of_pairs && axis.hops.by_difference.empty()) {
    const double all = bytes_of(rank);
    for (std::size_t to = 0; to < axis.positions(); ++to)
      axis.costs[to] = axis.hops.apart * (all - std::exchange(axis.bytes[to], 0));
    return;
  }
  std::ranges::fill(axis.costs, 0);
  for (int from = 0; from < axis.hops.positions; ++from) {
    const double bytes = std::exchange(axis.bytes[as_index(from)], 0);
    if (bytes == 0) continue;
    for (int to = 0; to < axis.hops.positions; ++to)
      axis.costs[as_index(to)] += bytes * hops_on(axis, from, to);
  }
}

void NodeCosts::start(std::span<const int> place_of_rank) {
  place_of_rank_.assign(place_of_rank.begin(), place_of_rank.end());
  for (Axis& axis : axes_) {
    if (!axis.is_kept) continue;
    for (int rank = 0; rank < graph_.ranks(); ++rank) {
      count_costs(axis, rank);
      std::ranges::copy(axis.costs, row_of(rank) + axis.begin);
    }
  }
}

void NodeCosts::move_on(const Axis& axis, int rank, int from, int to) {
  const auto partners = graph_.partners(rank);
  if (!axis.of_pairs && axis.hops.by_difference.empty()) {
    for (const auto& partner : partners) {
      const double cost = axis.hops.apart * static_cast<double>(partner.bytes);
      double* const costs = row_of(partner.rank) + axis.begin;
      costs[from] += cost;
      costs[to] -= cost;
    }
    return;
  }
  change_.clear();
  change_.reserve(axis.positions());
  for (int at = 0; at < axis.hops.positions; ++at)
    change_.push_back(hops_on(axis, to, at) - hops_on(axis, from, at));
  for (const auto& partner : partners) {
    const auto bytes = static_cast<double>(partner.bytes);
    double* const costs = row_of(partner.rank) + axis.begin;
    for (std::size_t at = 0; at < change_.size(); ++at) costs[at] += bytes * change_[at];
  }
}

void NodeCosts::move(int rank, int to) {
  const int from = std::exchange(place_of_rank_[as_index(rank)], to);
  for (const Axis& axis : axes_)
    if (axis.is_kept && axis.at(from) != axis.at(to))
      move_on(axis, rank, axis.at(from), axis.at(to));
}

double NodeCosts::gain(int rank, int from, int to) const {
  double sum = 0;
  for (const Axis& axis : axes_) {
    const int before = axis.at(from), after = axis.at(to);
    if (before == after) continue;
    if (axis.is_kept) {
      const double* const costs = row_of(rank) + axis.begin;
      sum += costs[before] - costs[after];
      continue;
    }
    for (const auto& partner : graph_.partners(rank)) {
      const int at = axis.at(place_of_rank_[as_index(partner.rank)]);
      sum += static_cast<double>(partner.bytes) *
             (hops_on(axis, at, before) - hops_on(axis, at, after));
    }
  }
  return sum;
}

std::span<const PlaceTree::Found> NodeCosts::cheapest(int rank, std::size_t count) {
  const int here = place_of_rank_[as_index(rank)];
  cost_here_ = 0;
  for (std::size_t i = 0; i < axes_.size(); ++i) {
    Axis& axis = axes_[i];
    if (!axis.is_kept) count_costs(axis, rank);
    costs_[i] = axis.is_kept ? row_of(rank) + axis.begin : axis.costs.data();
    least_[i] = *std::min_element(costs_[i], costs_[i] + axis.positions());
    cost_here_ += costs_[i][axis.at(here)];
  }
  return tree_.cheapest(costs_, least_, cost_here_, count);
}

}  // namespace fg::topology
