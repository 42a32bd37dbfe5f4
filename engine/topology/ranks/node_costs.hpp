// SPDX-License-Identifier: BSD-3-Clause
//
// Bytes times hops of each rank's messages, if it were on another node. The hops are a sum over
// axes (machines/hop_axis.hpp), so it is enough to know what a rank's messages cost at each
// position of each axis. These few numbers are kept for all ranks and follow each move. Axes with
// so many positions that they do not fit, such as the switches of a large tree, are counted when
// they are asked for.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "topology/machines/machine.hpp"
#include "topology/ranks/place_tree.hpp"
#include "topology/ranks/rank_graph.hpp"

namespace fg::topology {

class NodeCosts {
 public:
  /// A place is an index of `nodes`. What axes do not tell is left out (`Machine::hop_axes`). A
  /// machine without axes has one, whose positions are all its routers. At most `most_kept` numbers
  /// are kept.
  NodeCosts(const RankGraph& graph, const Machine& machine, std::span<const int> nodes,
            std::size_t most_kept = std::size_t{1} << 24);

  int hops(int place, int other) const;
  /// Of all messages of a rank.
  double bytes_of(int rank) const noexcept { return bytes_[static_cast<std::size_t>(rank)]; }

  /// All ranks are where this says.
  void start(std::span<const int> place_of_rank);
  /// One rank moves.
  void move(int rank, int to);

  /// By how much less a rank's messages cost at `to` than at `from`, if only this rank moves.
  double gain(int rank, int from, int to) const;
  /// At most `count` places where a rank's messages cost less than at its own, and no other place
  /// costs less than one of these; with what they cost. Valid until the next call.
  std::span<const PlaceTree::Found> cheapest(int rank, std::size_t count);
  /// What the messages of this rank cost at its place. Valid until the next call.
  double cost_of_latest() const noexcept { return cost_here_; }

 private:
  struct Axis {
    HopAxis hops;                        // empty, for pairs of routers
    std::vector<int> position_of_place;  // of a router, for pairs of routers
    bool of_pairs = false;
    bool is_kept = false;
    std::size_t begin = 0;  // of its costs in a row of `kept_`
    std::vector<double> bytes = {}, costs = {};

    std::size_t positions() const noexcept { return static_cast<std::size_t>(hops.positions); }
    int at(int place) const noexcept { return position_of_place[static_cast<std::size_t>(place)]; }
  };

  int hops_on(const Axis& axis, int position, int other) const;
  void count_bytes(Axis& axis, int rank) const;
  /// Fills axis.costs from axis.bytes, and makes axis.bytes zero again.
  void count_costs(Axis& axis, int rank) const;
  void move_on(const Axis& axis, int rank, int from, int to);
  double* row_of(int rank) noexcept { return kept_.data() + static_cast<std::size_t>(rank) * row_; }
  const double* row_of(int rank) const noexcept {
    return kept_.data() + static_cast<std::size_t>(rank) * row_;
  }

  const RankGraph& graph_;
  const Machine& machine_;
  std::vector<Axis> axes_;  // with fewest positions first
  PlaceTree tree_;
  std::size_t row_ = 0;
  std::vector<double> kept_;   // [rank][position of each axis that is kept]
  std::vector<double> bytes_;  // [rank] of all its messages
  std::vector<int> place_of_rank_;
  std::vector<double> change_;
  std::vector<const double*> costs_;
  std::vector<double> least_;
  double cost_here_ = 0;
};

}  // namespace fg::topology
