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

AdaptedPlaces adapted_places(const RankGraph& graph, const Machine& machine,
                             std::span<const int> node_of_slot, const Coordinates* positions) {
  constexpr int rounds = 8;
  const Coordinates slots = mesh_of_slots(machine, node_of_slot);
  AdaptedPlaces best;
  const auto try_one = [&](std::string_view way, std::vector<int> places) {
    improve_places(graph, machine, node_of_slot, places, rounds);
    const double found = hop_bytes(graph, machine, node_of_slot, places);
    if (best.slot_of_rank.empty() || found < best.hop_bytes) best = {std::move(places), found, way};
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
  return best;
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
