// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks send each other, in both directions together, as a graph.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/machines/link_loads.hpp"

namespace fg::topology {

class RankGraph {
 public:
  /// `traffic` is between ranks. What a rank sends to itself is left out.
  RankGraph(int ranks, std::span<const Traffic> traffic);

  struct Partner {
    int rank;
    std::int64_t bytes;
  };

  int ranks() const noexcept { return static_cast<int>(first_.size()) - 1; }
  /// Ascending by rank, each once.
  std::span<const Partner> partners(int rank) const noexcept {
    const auto r = static_cast<std::size_t>(rank);
    return std::span(partners_).subspan(first_[r], first_[r + 1] - first_[r]);
  }

 private:
  std::vector<std::size_t> first_;  // [ranks + 1]
  std::vector<Partner> partners_;
};

}  // namespace fg::topology
