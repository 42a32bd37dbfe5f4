// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes times hops of one rank's messages on every node, all nodes at once. The hops are a sum over
// axes (machines/hop_axis.hpp), so it is enough to know how many bytes go to each position of each
// axis. On a machine without axes each pair of routers is asked for.
#pragma once

#include <span>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/ranks/rank_graph.hpp"

namespace fg::topology {

class NodeCosts {
 public:
  /// A place is an index of `nodes`. What axes do not tell is left out (`Machine::hop_axes`).
  NodeCosts(const RankGraph& graph, const Machine& machine, std::span<const int> nodes);

  int places() const noexcept { return static_cast<int>(routers_.size()); }
  int hops(int place, int other) const;

  /// For each place, if only this rank moved there. Valid until the next call.
  std::span<const double> of(int rank, std::span<const int> place_of_rank);

 private:
  struct Axis {
    HopAxis hops;
    std::vector<int> position_of_place;
    std::vector<double> bytes, costs;  // by position
  };

  void add_costs_along(Axis& axis, int rank, std::span<const int> place_of_rank);
  void add_costs_of_nodes(int rank, std::span<const int> place_of_rank);
  void add_costs_of_pairs(int rank, std::span<const int> place_of_rank);

  const RankGraph& graph_;
  const Machine& machine_;
  int hops_of_nodes_;         // between a node and its router, at both ends
  std::vector<int> routers_;  // of places
  std::vector<Axis> axes_;
  std::vector<double> costs_;  // of places
};

}  // namespace fg::topology
