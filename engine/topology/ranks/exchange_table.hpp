// SPDX-License-Identifier: BSD-3-Clause
//
// What each rank's messages would cost on each node, so that the gain of an exchange of places is
// found at once. The table has a number for each rank and node: it is for up to two thousand of
// both.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/ranks/rank_graph.hpp"
#include "topology/ranks/slot_places.hpp"

namespace fg::topology {

class ExchangeTable {
 public:
  /// Whether a table of this size is worth its time and memory: 16 MiB, and the same for hops.
  static bool fits(int ranks, int nodes) noexcept {
    return std::int64_t{ranks} * nodes <= std::int64_t{1} << 22;
  }

  ExchangeTable(const RankGraph& graph, const Machine& machine, std::span<const int> node_of_slot);

  /// Exchanges each rank with the one with which that gains most. It does so round after round,
  /// until a round gains nothing, or for so many rounds.
  void improve(std::span<int> slot_of_rank, int rounds);

 private:
  std::size_t places() const noexcept { return slots_.nodes.size(); }
  float* costs_of(int rank) noexcept {
    return costs_.data() + static_cast<std::size_t>(rank) * places();
  }
  const float* costs_of(int rank) const noexcept {
    return costs_.data() + static_cast<std::size_t>(rank) * places();
  }
  const float* hops_of(int place) const noexcept {
    return hops_.data() + static_cast<std::size_t>(place) * places();
  }
  /// What the best exchange of a rank gains: 0 or more.
  float best_exchange(int rank, int& with) noexcept;
  float units(std::int64_t bytes) const noexcept {
    const std::int64_t whole = bytes / unit_;
    return static_cast<float>(whole);
  }
  void start(std::span<const int> slot_of_rank);
  void exchange(int one, int other) noexcept;
  void moved(int rank, int from, int to) noexcept;

  const RankGraph& graph_;
  SlotPlaces slots_;
  std::vector<int> place_of_rank_;
  // Bytes are counted in units. All costs are whole numbers below 2^24, so that they are exact.
  std::int64_t unit_ = 1;
  std::vector<float> hops_;          // [place][place] there and back
  std::vector<float> costs_;         // [rank][place] of its messages, if it were there
  std::vector<float> own_costs_;     // [rank] where it is
  std::vector<float> least_costs_;   // [rank] of all places, or less than that
  std::vector<float> shared_;        // [rank] what it sends the rank in question, else 0
  std::vector<char> worth_looking_;  // [rank] whether its gains may have changed
};

}  // namespace fg::topology
