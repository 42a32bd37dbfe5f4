// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/adapted_places.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <numeric>
#include <random>
#include <utility>

#include "topology/placement/torus_mesh.hpp"

namespace fg::topology {

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
                             std::span<const int> node_of_slot, const Coordinates* positions) {
  constexpr int rounds = 8;
  const Coordinates slots = mesh_of_slots(machine, node_of_slot);
  const RankGraph graph(static_cast<int>(node_of_slot.size()), traffic);
  struct Start {
    std::string_view way;
    std::vector<int> places;
    double hop_bytes = 0;
  };
  std::vector<Start> starts;
  const auto start = [&](std::string_view way, std::vector<int> places) {
    const double bytes = hop_bytes(graph, machine, node_of_slot, places);
    starts.push_back({way, std::move(places), bytes});
  };
  std::vector<int> own(static_cast<std::size_t>(graph.ranks()));
  std::iota(own.begin(), own.end(), 0);
  start("in their own order", std::move(own));
  if (positions) start("divided by their positions", bisected_ranks(*positions, slots));
  start("divided by what they send", bisected_ranks(graph, slots));
  // Changes of places never make a bad start as good as a good one, unless ranks are few; but of a
  // few there is time to try more.
  constexpr int few = 512;
  constexpr std::uint64_t seeds = 8;
  if (graph.ranks() <= few)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      start("from a random placement", random_places(graph.ranks(), seed));
  const double limit =
      graph.ranks() <= few
          ? std::numeric_limits<double>::max()
          : 1.2 * std::ranges::min_element(starts, {}, &Start::hop_bytes)->hop_bytes;

  std::vector<AdaptedPlaces> found;
  for (Start& one : starts) {
    if (one.hop_bytes > limit) continue;
    improve_places(graph, machine, node_of_slot, one.places, rounds);
    std::vector<int> node_of_rank;
    node_of_rank.reserve(one.places.size());
    for (const int slot : one.places)
      node_of_rank.push_back(node_of_slot[static_cast<std::size_t>(slot)]);
    const LinkLoads loads = link_loads(machine, traffic, node_of_rank);
    found.push_back({std::move(one.places), loads.hop_bytes, loads.most_bytes, one.way});
  }
  const double least = std::ranges::min_element(found, {}, &AdaptedPlaces::hop_bytes)->hop_bytes;
  const AdaptedPlaces* best = nullptr;
  for (const AdaptedPlaces& one : found)
    if (one.hop_bytes <= 1.05 * least && (!best || one.most_bytes < best->most_bytes)) best = &one;
  return *best;
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
