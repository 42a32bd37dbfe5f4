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
  std::string_view way;      // in which patches were cut
  std::vector<int> pe_of;    // [patches]
  std::int64_t pairs = 0;    // of a patch and another process that needs its positions
  std::int64_t fullest = 0;  // the most work of a PE for each unit of its share, rounded up
};

/// All ways, the preferred one first. Arguments as for bisected_patches and patch_process_pairs.
std::vector<PatchPlaces> patch_candidates(const PatchShape& shape,
                                          std::span<const std::int64_t> loads,
                                          std::span<const PePlace> pes, const Coordinates& mesh,
                                          std::span<const std::array<int, 3>> offsets);

/// The one of these with the fewest pairs; the first of equal ones. Its fullest PE has at most one
/// part in twenty more to do than the fullest PE of any of them.
PatchPlaces best_patch_places(const PatchShape& shape, std::span<const std::int64_t> loads,
                              std::span<const PePlace> pes, const Coordinates& mesh,
                              std::span<const std::array<int, 3>> offsets);

}  // namespace fg::topology
