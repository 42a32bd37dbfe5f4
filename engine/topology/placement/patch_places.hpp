// SPDX-License-Identifier: BSD-3-Clause
//
// The placement of patches that sends least, chosen from several. No way to cut is the best for
// every grid and every number of processes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/patch_traffic.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

struct PatchPlaces {
  std::string_view way;         // in which patches were cut
  std::vector<int> pe_of;       // [patches]
  std::int64_t pairs = 0;       // of a patch and another process that needs its positions
  std::int64_t hops = 0;        // between hosts, over these pairs; 0 if the mesh has one dimension
  std::int64_t mesh_pairs = 0;  // of a process and a z-pencil to which it sends charges
  std::int64_t fullest = 0;     // the most work of a PE for each unit of its share, rounded up
};

/// All ways, the preferred one first. Arguments as for bisected_patches and patch_process_pairs;
/// `pencils` as for process_pencil_pairs, or zeros if there is no mesh.
std::vector<PatchPlaces> patch_candidates(const PatchShape& shape,
                                          std::span<const std::int64_t> loads,
                                          std::span<const PePlace> pes, const Coordinates& mesh,
                                          std::span<const std::array<int, 3>> offsets,
                                          const std::array<int, 2>& pencils = {0, 0});

/// The one of these that sends least: the fewest pairs of both kinds and hops together; the first
/// of equal ones. A mesh of one dimension only numbers the hosts, so that its hops do not count.
/// The fullest PE has at most one part in twenty more to do than the fullest PE of any of them.
/// Where nothing is sent to pencils, slabs across the last axis are often best; pencils are along
/// this axis, so that they make columns and cubes better.
PatchPlaces best_patch_places(const PatchShape& shape, std::span<const std::int64_t> loads,
                              std::span<const PePlace> pes, const Coordinates& mesh,
                              std::span<const std::array<int, 3>> offsets,
                              const std::array<int, 2>& pencils = {0, 0});

}  // namespace fg::topology
