// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/adapted_places.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <random>
#include <utility>

#include "topology/placement/torus_mesh.hpp"
#include "topology/ranks/exchange_search.hpp"
#include "topology/ranks/exchange_table.hpp"
#include "topology/ranks/link_relief.hpp"

namespace fg::topology {

namespace {

constexpr int few = 64;  // ranks
constexpr std::uint64_t seeds_of_few = 8;
// By prices of ways, relief looks at some ranks in a round. Of more ranks too many links are as
// heavy as the heaviest for that: 1,024 nodes of a torus kept their heaviest link.
constexpr int most_by_prices = 768;
constexpr int rounds_of_table = 16, first_rounds = 2, rounds_of_search = 8;
constexpr double worth_trying = 1.1;  // of the least bytes times hops, before any exchange

std::vector<int> nodes_of(std::span<const int> slot_of_rank, std::span<const int> node_of_slot) {
  std::vector<int> nodes;
  nodes.reserve(slot_of_rank.size());
  for (const int slot : slot_of_rank) nodes.push_back(node_of_slot[static_cast<std::size_t>(slot)]);
  return nodes;
}

}  // namespace

Coordinates mesh_of_slots(const Machine& machine, std::span<const int> node_of_slot) {
  const auto dimensions = machine.dimensions();
  Coordinates slots(static_cast<int>(node_of_slot.size()), static_cast<int>(dimensions.size()));
  for (int slot = 0; slot < slots.nodes(); ++slot)
    std::ranges::copy(machine.coordinates().of(node_of_slot[static_cast<std::size_t>(slot)]),
                      slots.of(slot).begin());
  std::vector<int> lengths;
  std::vector<bool> wraps;
  for (const Dimension& dimension : dimensions) {
    lengths.push_back(dimension.length);
    wraps.push_back(dimension.wraps);
  }
  return mesh_from_torus(slots, lengths, wraps).nodes;
}

AdaptedPlaces adapted_places(std::span<const Traffic> traffic, const Machine& machine,
                             std::span<const int> node_of_slot, const Coordinates* positions,
                             double relief) {
  const Coordinates slots = mesh_of_slots(machine, node_of_slot);
  const RankGraph graph(static_cast<int>(node_of_slot.size()), traffic);
  std::vector<AdaptedPlaces> all;
  const auto start = [&](std::string_view way, std::vector<int> places) {
    all.push_back({.slot_of_rank = std::move(places), .way = way});
  };
  std::vector<int> own(static_cast<std::size_t>(graph.ranks()));
  std::iota(own.begin(), own.end(), 0);
  start("in their own order", std::move(own));
  if (positions)
    start("divided by their positions", bisected_ranks(*positions, slots));
  else
    start("divided by what they send", bisected_ranks(graph, slots));
  const auto weigh = [&] {
    for (AdaptedPlaces& one : all)
      one.hop_bytes = hop_bytes(graph, machine, node_of_slot, one.slot_of_rank);
  };
  const auto sort = [&] { std::ranges::stable_sort(all, {}, &AdaptedPlaces::hop_bytes); };
  const auto drop_above = [&](double share) {
    std::erase_if(all, [limit = share * all.front().hop_bytes](const AdaptedPlaces& one) {
      return one.hop_bytes > limit;
    });
  };
  if (graph.ranks() <= few) {
    for (std::uint64_t seed = 1; seed <= seeds_of_few; ++seed)
      start("from a random placement", random_places(graph.ranks(), seed));
  } else {
    // Exchanges never make a bad start as good as a good one, unless ranks are few.
    weigh();
    sort();
    drop_above(worth_trying);
  }
  const bool fit = ExchangeTable::fits(graph.ranks(), std::min(graph.ranks(), machine.nodes()));
  if (fit) {
    ExchangeTable table(graph, machine, node_of_slot);
    if (all.size() > 1 && graph.ranks() > few) {
      // The better one after the first rounds is nearly always the better one at the end.
      for (AdaptedPlaces& one : all) table.improve(one.slot_of_rank, first_rounds);
      weigh();
      sort();
      all.resize(1);
    }
    for (AdaptedPlaces& one : all) table.improve(one.slot_of_rank, rounds_of_table);
    weigh();
  } else {
    ExchangeSearch search(graph, machine, node_of_slot);
    for (AdaptedPlaces& one : all)
      one.hop_bytes = search.improve(one.slot_of_rank, one.hop_bytes, rounds_of_search);
  }
  sort();
  drop_above(1 + relief);
  AdaptedPlaces& least = all.front();
  const bool by_prices = fit && graph.ranks() <= most_by_prices;
  if (LinkRelief(traffic, machine, node_of_slot, by_prices).relieve(least.slot_of_rank, relief))
    least.hop_bytes = hop_bytes(graph, machine, node_of_slot, least.slot_of_rank);
  if (all.size() == 1) return std::move(least);
  std::vector<std::pair<double, double>> weights;  // bytes on the heaviest link, bytes times hops
  weights.reserve(all.size());
  for (const AdaptedPlaces& one : all) {
    const std::vector<int> nodes = nodes_of(one.slot_of_rank, node_of_slot);
    weights.emplace_back(link_loads(machine, traffic, nodes).most_bytes, one.hop_bytes);
  }
  const auto best = std::ranges::min_element(weights) - weights.begin();
  return std::move(all[static_cast<std::size_t>(best)]);
}

std::vector<int> random_places(int ranks, std::uint64_t seed) {
  std::vector<int> places(static_cast<std::size_t>(ranks));
  std::iota(places.begin(), places.end(), 0);
  // std::shuffle may differ from library to library.
  std::mt19937_64 random(seed);
  for (std::size_t left = places.size(); left > 1; --left)
    std::swap(places[left - 1], places[random() % left]);
  return places;
}

}  // namespace fg::topology
