// SPDX-License-Identifier: BSD-3-Clause
//
// A row of loads cut in two, for two sets of PEs, in proportion to their shares.
#pragma once

#include <cstdint>
#include <span>

#include "topology/placement/pe_place.hpp"

namespace fg::topology {

/// What some PEs have together.
struct PeSum {
  std::int64_t pes = 0, share = 0, already = 0;

  void add(const PePlace& pe) noexcept {
    ++pes;
    share += pe.share;
    already += pe.already;
  }
};

/// The part of `load` that the PEs below should have. Then what they do is to what those above do
/// as their shares are. From 0 to `load`.
std::int64_t fair_part(std::int64_t load, const PeSum& below, const PeSum& above);

/// The number of loads, from the start of a row, that make the sum nearest to `wanted`. If two are
/// as near, it is the lower number. From `least` to `most`.
std::int64_t nearest_cut(std::span<const std::int64_t> loads, std::int64_t wanted,
                         std::int64_t least, std::int64_t most);

}  // namespace fg::topology
