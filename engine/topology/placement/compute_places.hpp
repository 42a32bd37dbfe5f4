// SPDX-License-Identifier: BSD-3-Clause
//
// Computes placed near their patches. Each one has a few PEs to choose from, such as those of its
// two patches or of the cell midway between them. So the only positions that it brings to its PE
// are those of the other patch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "topology/placement/pe_place.hpp"

namespace fg::topology {

struct NearbyWork {
  std::vector<int> pes;  // to choose from, the preferred one first; one at least
  std::int64_t work = 0;
};

/// The PE of each compute. All begin on the preferred one. Then PEs with more than a thirtieth
/// above the average for their share give computes away, the largest first. They do so as long as
/// that makes the fuller of the two less full.
std::vector<int> places_near_patches(std::span<const NearbyWork> computes,
                                     std::span<const PePlace> pes);

}  // namespace fg::topology
