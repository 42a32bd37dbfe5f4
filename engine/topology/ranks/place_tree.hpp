// SPDX-License-Identifier: BSD-3-Clause
//
// Nodes sorted by their positions on axes, as a tree. A level of it has an axis. Where a cost is a
// sum over axes, the nodes that cost least are found without a look at most others.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace fg::topology {

class PlaceTree {
 public:
  struct Found {
    double cost;
    int place;

    /// Equal costs in the order of places.
    bool operator<(const Found& other) const noexcept {
      return cost != other.cost ? cost < other.cost : place < other.place;
    }
  };

  PlaceTree() = default;
  /// For each axis the position of each place. There is at least one axis. A tree is small if axes
  /// with few positions come first.
  explicit PlaceTree(std::span<const std::vector<int>> position_of_place);

  /// At most `count` places that cost less than `limit`, and no other place costs less than one of
  /// them. `costs` has one value for each position of each axis. In no certain order; valid until
  /// the next call.
  std::span<const Found> cheapest(std::span<const double* const> costs,
                                  std::span<const double> least_on_axis, double limit,
                                  std::size_t count);

 private:
  struct Level {
    std::vector<int> position;         // of each vertex
    std::vector<std::size_t> first;    // [vertices + 1] of the level below, or of `places_`
    std::vector<Found> vertices = {};  // on the way of a search, cheapest first
  };

  void search(std::size_t depth, std::size_t begin, std::size_t end, double cost);
  void offer(double cost, int place);
  bool may_be_found(double least) const noexcept;

  std::vector<Level> levels_;
  std::vector<int> places_;

  std::span<const double* const> costs_;
  std::vector<double> least_below_;  // [level] on the axes of the levels below
  double limit_ = 0;
  std::size_t count_ = 0;
  std::vector<Found> found_;  // a heap, the dearest in front
};

}  // namespace fg::topology
