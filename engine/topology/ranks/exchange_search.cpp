// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/exchange_search.hpp"

#include <algorithm>
#include <utility>

#include "topology/ranks/rank_places.hpp"

namespace fg::topology {

namespace {

// All by trial on the traffic of bench/machines/classical_maps.py.
constexpr std::size_t ranks_tried = 64, least_places_tried = 4;
constexpr double worth_a_round = 1e-2;     // of the bytes times hops
constexpr double worth_a_look = 1.0 / 64;  // of a rank's bytes: a partner with more has moved

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace

ExchangeSearch::ExchangeSearch(const RankGraph& graph, const Machine& machine,
                               std::span<const int> node_of_slot)
    : graph_(graph),
      machine_(machine),
      node_of_slot_(node_of_slot),
      slots_(node_of_slot),
      tried_(std::max(ranks_tried * slots_.nodes.size() / node_of_slot.size(), least_places_tried)),
      costs_(graph, machine, slots_.nodes),
      ranks_of_place_(slots_.nodes.size()) {}

void ExchangeSearch::start(std::span<const int> slot_of_rank) {
  place_of_rank_.clear();
  place_of_rank_.reserve(slot_of_rank.size());
  for (auto& ranks : ranks_of_place_) ranks.clear();
  for (const int slot : slot_of_rank) {
    const int place = slots_.place_of_slot[as_index(slot)];
    ranks_of_place_[as_index(place)].push_back(static_cast<int>(place_of_rank_.size()));
    place_of_rank_.push_back(place);
  }
  costs_.start(place_of_rank_);
  worth_looking_.assign(slot_of_rank.size(), 1);
}

double ExchangeSearch::bytes_between(int rank, int other) const noexcept {
  const auto partners = graph_.partners(rank);
  const auto found = std::ranges::lower_bound(partners, other, {}, &RankGraph::Partner::rank);
  return found != partners.end() && found->rank == other ? static_cast<double>(found->bytes) : 0;
}

ExchangeSearch::Exchange ExchangeSearch::best_exchange(int rank) {
  const int here = place_of_rank_[as_index(rank)];
  Exchange best;
  for (const PlaceTree::Found& there : costs_.cheapest(rank, tried_))
    for (const int other : ranks_of_place_[as_index(there.place)]) {
      // What the two send each other is as far as before, but the costs of both count it as gone.
      const double gain = costs_.cost_of_latest() - there.cost +
                          costs_.gain(other, there.place, here) -
                          2 * bytes_between(rank, other) * costs_.hops(here, there.place);
      if (gain > best.gain || (gain == best.gain && gain > 0 && other < best.with))
        best = {.gain = gain, .with = other};
    }
  return best;
}

void ExchangeSearch::look_again(int rank) {
  worth_looking_[as_index(rank)] = 1;
  for (const auto& partner : graph_.partners(rank))
    if (static_cast<double>(partner.bytes) > worth_a_look * costs_.bytes_of(partner.rank))
      worth_looking_[as_index(partner.rank)] = 1;
}

void ExchangeSearch::exchange(int rank, int other) {
  int& here = place_of_rank_[as_index(rank)];
  int& there = place_of_rank_[as_index(other)];
  std::ranges::replace(ranks_of_place_[as_index(here)], rank, other);
  std::ranges::replace(ranks_of_place_[as_index(there)], other, rank);
  std::swap(here, there);
  costs_.move(rank, here);
  costs_.move(other, there);
  look_again(rank);
  look_again(other);
}

double ExchangeSearch::improve(std::span<int> slot_of_rank, double at_first, int rounds) {
  const std::vector<int> before(slot_of_rank.begin(), slot_of_rank.end());
  start(slot_of_rank);
  double whole = at_first;
  for (int round = 0; round < rounds; ++round) {
    double gained = 0;
    for (int rank = 0; rank < graph_.ranks(); ++rank) {
      if (!std::exchange(worth_looking_[as_index(rank)], char{0})) continue;
      const Exchange best = best_exchange(rank);
      if (best.with < 0) continue;
      exchange(rank, best.with);
      std::swap(slot_of_rank[as_index(rank)], slot_of_rank[as_index(best.with)]);
      gained += best.gain;
    }
    whole -= gained;
    if (gained <= worth_a_round * whole) break;
  }
  // Where axes tell the hops nearly, the gains are near ones too.
  const double at_last = hop_bytes(graph_, machine_, node_of_slot_, slot_of_rank);
  if (at_last <= at_first) return at_last;
  std::ranges::copy(before, slot_of_rank.begin());
  return at_first;
}

}  // namespace fg::topology
