// SPDX-License-Identifier: BSD-3-Clause
//
// Exchanges of places for many ranks. Each rank is tried on the few nodes where its own messages
// would cost least, so that no table of all ranks and nodes is needed (exchange_table.hpp).
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/ranks/node_costs.hpp"
#include "topology/ranks/rank_graph.hpp"
#include "topology/ranks/slot_places.hpp"

namespace fg::topology {

class ExchangeSearch {
 public:
  ExchangeSearch(const RankGraph& graph, const Machine& machine, std::span<const int> node_of_slot);

  /// Exchanges each rank with the best that it finds, round after round. Ends when a round gains
  /// less than one part in a hundred, or after `rounds`. `at_first` are the bytes times hops;
  /// returns those afterwards, which are not more.
  double improve(std::span<int> slot_of_rank, double at_first, int rounds);

 private:
  struct Exchange {
    double gain = 0;
    int with = -1;
  };

  void start(std::span<const int> slot_of_rank);
  Exchange best_exchange(int rank);
  void exchange(int rank, int other);
  void look_again(int rank);
  double bytes_between(int rank, int other) const noexcept;

  const RankGraph& graph_;
  const Machine& machine_;
  std::span<const int> node_of_slot_;
  SlotPlaces slots_;
  std::size_t tried_;  // places for each rank
  NodeCosts costs_;

  std::vector<int> place_of_rank_;
  std::vector<std::vector<int>> ranks_of_place_;
  std::vector<char> worth_looking_;  // [rank]
};

}  // namespace fg::topology
