// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/adapted_places.hpp"

#include <algorithm>
#include <cstddef>
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
  std::vector<AdaptedPlaces> found;
  const auto try_one = [&](std::string_view way, std::vector<int> places) {
    improve_places(graph, machine, node_of_slot, places, rounds);
    std::vector<Traffic> on_nodes(traffic.begin(), traffic.end());
    const auto node_of = [&](int rank) {
      const int slot = places[static_cast<std::size_t>(rank)];
      return node_of_slot[static_cast<std::size_t>(slot)];
    };
    for (Traffic& one : on_nodes) {
      one.from = node_of(one.from);
      one.to = node_of(one.to);
    }
    const LinkLoads loads = link_loads(machine, on_nodes);
    found.push_back({std::move(places), loads.hop_bytes, loads.most_bytes, way});
  };
  std::vector<int> own(static_cast<std::size_t>(graph.ranks()));
  std::iota(own.begin(), own.end(), 0);
  try_one("in their own order", std::move(own));
  if (positions) try_one("divided by their positions", bisected_ranks(*positions, slots));
  try_one("divided by what they send", bisected_ranks(graph, slots));
  // Few ranks cost little time, and have few ways out of a placement that no single change
  // improves.
  constexpr int few = 512;
  constexpr std::uint64_t seeds = 8;
  if (graph.ranks() <= few)
    for (std::uint64_t seed = 1; seed <= seeds; ++seed)
      try_one("from a random placement", random_places(graph.ranks(), seed));
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
