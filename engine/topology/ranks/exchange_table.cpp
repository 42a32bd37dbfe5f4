// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/exchange_table.hpp"

#include <algorithm>
#include <utility>

namespace fg::topology {

namespace {

constexpr double largest_exact = 1 << 24;  // whole number up to which a float has all

}  // namespace

ExchangeTable::ExchangeTable(const RankGraph& graph, const Machine& machine,
                             std::span<const int> node_of_slot)
    : graph_(graph),
      slots_(node_of_slot),
      place_of_rank_(static_cast<std::size_t>(graph.ranks())),
      shared_(static_cast<std::size_t>(graph.ranks())) {
  const std::vector<int>& nodes = slots_.nodes;
  const std::size_t places = nodes.size();
  hops_.resize(places * places);
  int most = 1;
  for (std::size_t a = 0; a < places; ++a)
    for (std::size_t b = 0; b < a; ++b) {
      const int both = 2 * machine.hops(nodes[a], nodes[b]);  // as many there as back
      most = std::max(most, both);
      hops_[a * places + b] = hops_[b * places + a] = static_cast<float>(both);
    }
  double heaviest = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank) {
    double bytes = 0;
    for (const auto& partner : graph.partners(rank)) bytes += static_cast<double>(partner.bytes);
    heaviest = std::max(heaviest, bytes);
  }
  unit_ += static_cast<std::int64_t>(heaviest * most / largest_exact);
}

void ExchangeTable::start(std::span<const int> slot_of_rank) {
  for (std::size_t rank = 0; rank < slot_of_rank.size(); ++rank)
    place_of_rank_[rank] = slots_.place_of_slot[static_cast<std::size_t>(slot_of_rank[rank])];
  own_costs_.resize(slot_of_rank.size());
  least_costs_.assign(slot_of_rank.size(), 0);
  costs_.assign(static_cast<std::size_t>(graph_.ranks()) * places(), 0);
  for (int rank = 0; rank < graph_.ranks(); ++rank) {
    float* const costs = costs_of(rank);
    for (const auto& partner : graph_.partners(rank)) {
      const float* const hops = hops_of(place_of_rank_[static_cast<std::size_t>(partner.rank)]);
      const float bytes = units(partner.bytes);
      for (std::size_t place = 0; place < places(); ++place) costs[place] += bytes * hops[place];
    }
    least_costs_[static_cast<std::size_t>(rank)] = *std::min_element(costs, costs + places());
    own_costs_[static_cast<std::size_t>(rank)] =
        costs[place_of_rank_[static_cast<std::size_t>(rank)]];
  }
}

float ExchangeTable::best_exchange(int rank, int& with) noexcept {
  const int here = place_of_rank_[static_cast<std::size_t>(rank)];
  const float* const mine = costs_of(rank);
  const float* const hops = hops_of(here);
  least_costs_[static_cast<std::size_t>(rank)] = *std::min_element(mine, mine + places());
  for (const auto& partner : graph_.partners(rank))
    shared_[static_cast<std::size_t>(partner.rank)] = units(partner.bytes);
  float most = 0;
  for (int other = 0; other < graph_.ranks(); ++other) {
    const int there = place_of_rank_[static_cast<std::size_t>(other)];
    if (there == here) continue;
    const float my_gain = mine[here] - mine[there],
                own = own_costs_[static_cast<std::size_t>(other)];
    if (my_gain + (own - least_costs_[static_cast<std::size_t>(other)]) <= most) continue;
    // What the two send each other is as far as before, but both columns count it as gone.
    const float gain = my_gain + (own - costs_of(other)[here]) -
                       2 * shared_[static_cast<std::size_t>(other)] * hops[there];
    if (gain > most) {
      most = gain;
      with = other;
    }
  }
  for (const auto& partner : graph_.partners(rank))
    shared_[static_cast<std::size_t>(partner.rank)] = 0;
  return most;
}

void ExchangeTable::moved(int rank, int from, int to) noexcept {
  const float* const before = hops_of(from);
  const float* const after = hops_of(to);
  float nearer = 0;  // hops of the place that comes nearest, negative
  for (std::size_t place = 0; place < places(); ++place)
    nearer = std::min(nearer, after[place] - before[place]);
  for (const auto& partner : graph_.partners(rank)) {
    float* const costs = costs_of(partner.rank);
    const float bytes = units(partner.bytes);
    for (std::size_t place = 0; place < places(); ++place)
      costs[place] += bytes * (after[place] - before[place]);
    least_costs_[static_cast<std::size_t>(partner.rank)] += bytes * nearer;
    own_costs_[static_cast<std::size_t>(partner.rank)] =
        costs[place_of_rank_[static_cast<std::size_t>(partner.rank)]];
    worth_looking_[static_cast<std::size_t>(partner.rank)] = 1;
  }
  worth_looking_[static_cast<std::size_t>(rank)] = 1;
}

void ExchangeTable::exchange(int one, int other) noexcept {
  int& here = place_of_rank_[static_cast<std::size_t>(one)];
  int& there = place_of_rank_[static_cast<std::size_t>(other)];
  moved(one, here, there);
  moved(other, there, here);
  std::swap(here, there);
  for (const int rank : {one, other})
    own_costs_[static_cast<std::size_t>(rank)] =
        costs_of(rank)[place_of_rank_[static_cast<std::size_t>(rank)]];
}

void ExchangeTable::improve(std::span<int> slot_of_rank, int rounds) {
  start(slot_of_rank);
  const auto all_of = [](char value, std::vector<char>& flags) { std::ranges::fill(flags, value); };
  worth_looking_.resize(slot_of_rank.size());
  all_of(1, worth_looking_);
  for (int round = 0, whole_rounds = 1; round < rounds; ++round) {
    bool gained = false;
    for (int rank = 0; rank < graph_.ranks(); ++rank) {
      char& look = worth_looking_[static_cast<std::size_t>(rank)];
      if (!look) continue;
      look = 0;
      int with = -1;
      if (best_exchange(rank, with) <= 0) continue;
      exchange(rank, with);
      std::swap(slot_of_rank[static_cast<std::size_t>(rank)],
                slot_of_rank[static_cast<std::size_t>(with)]);
      gained = true;
    }
    if (gained) continue;
    // Others that have moved may offer a better place to ranks that nobody looked at again.
    if (whole_rounds++ > 1) break;
    all_of(1, worth_looking_);
  }
}

}  // namespace fg::topology
