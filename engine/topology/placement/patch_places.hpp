// SPDX-License-Identifier: BSD-3-Clause
//
// All ways to place patches. None sends least for every grid and every number of processes, so the
// caller counts what each one sends.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "topology/coordinates.hpp"
#include "topology/placement/pe_place.hpp"

namespace fg::topology {

struct PatchPlaces {
  std::string_view way;    // in which patches were cut
  std::vector<int> pe_of;  // [patches]
};

/// The preferred way first. Arguments as for bisected_patches.
std::vector<PatchPlaces> patch_candidates(const std::array<int, 3>& sides,
                                          std::span<const std::int64_t> loads,
                                          std::span<const PePlace> pes, const Coordinates& mesh);

}  // namespace fg::topology
