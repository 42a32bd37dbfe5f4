// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/rank_places.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <numeric>
#include <queue>
#include <utility>

#include "topology/placement/snake_order.hpp"

namespace fg::topology {

namespace {

std::vector<int> numbers(int count) {
  std::vector<int> all(static_cast<std::size_t>(count));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

/// Divides ranks and slots in two, and then each half again. `divide(ranks, slots, first)` puts the
/// ranks and the slots of the first half in front.
template <class Divide>
void bisect(std::span<int> ranks, std::span<int> slots, const Divide& divide,
            std::vector<int>& slot_of_rank) {
  if (ranks.empty()) return;
  if (ranks.size() == 1) {
    slot_of_rank[static_cast<std::size_t>(ranks[0])] = slots[0];
    return;
  }
  const std::size_t first = ranks.size() / 2;
  divide(ranks, slots, first);
  bisect(ranks.first(first), slots.first(first), divide, slot_of_rank);
  bisect(ranks.subspan(first), slots.subspan(first), divide, slot_of_rank);
}

template <class Divide>
std::vector<int> bisected(int ranks, const Divide& divide) {
  std::vector<int> rank_row = numbers(ranks), slot_row = numbers(ranks);
  std::vector<int> slot_of_rank(static_cast<std::size_t>(ranks));
  bisect(std::span(rank_row), std::span(slot_row), divide, slot_of_rank);
  return slot_of_rank;
}

/// The axes of ranks and of slots belong to each other once and for all, the longest to the
/// longest. Both are divided along the axis on which the ranks reach farthest. If the slots have
/// only one position there, the next axis is taken.
class Axes {
 public:
  Axes(const Coordinates& positions, const Coordinates& slots)
      : positions_(positions),
        slots_(slots),
        of_ranks_(longest_first(spans_of(positions, numbers(positions.nodes())))),
        of_slots_(longest_first(spans_of(slots, numbers(slots.nodes())))) {}

  void divide(std::span<int> ranks, std::span<int> slots) const {
    const std::vector<int> spans = spans_of(positions_, ranks);
    std::vector<std::size_t> order(of_ranks_.size());  // pairs of axes, longest of the ranks first
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater(), [&](std::size_t pair) {
      return spans[static_cast<std::size_t>(of_ranks_[pair])];
    });
    std::vector<int> slot_axes, rank_axes;
    for (const std::size_t pair : order) {
      rank_axes.push_back(of_ranks_[pair]);
      if (pair < of_slots_.size()) slot_axes.push_back(of_slots_[pair]);
    }
    for (const int axis : longest_first(spans_of(slots_, slots)))
      if (std::ranges::find(slot_axes, axis) == slot_axes.end()) slot_axes.push_back(axis);
    sort_in_snake_order(positions_, rank_axes, ranks);
    sort_in_snake_order(slots_, slot_axes, slots);
  }

 private:
  const Coordinates& positions_;
  const Coordinates& slots_;
  std::vector<int> of_ranks_, of_slots_;
};

/// Grows a part of a set of ranks.
class Growth {
 public:
  explicit Growth(const RankGraph& graph)
      : graph_(graph), inside_(size()), bytes_(size()), taken_(size()) {}

  void divide(std::span<int> ranks, std::size_t first) {
    for (const int r : ranks) at(inside_, r) = 1;
    const std::vector<int> part = grow(ranks, first, farthest(ranks, ranks[0]));
    for (const int r : part) at(taken_, r) = 1;
    std::ranges::stable_partition(ranks, [&](int r) { return at(taken_, r) != 0; });
    for (const int r : ranks) at(inside_, r) = at(taken_, r) = 0;
  }

 private:
  std::size_t size() const noexcept { return static_cast<std::size_t>(graph_.ranks()); }
  template <class T>
  static T& at(std::vector<T>& values, int rank) {
    return values[static_cast<std::size_t>(rank)];
  }

  /// The last rank that a search from `start` reaches.
  int farthest(std::span<const int> ranks, int start) {
    std::vector<int> reached{start};
    at(taken_, start) = 1;
    for (std::size_t i = 0; i < reached.size(); ++i)
      for (const auto& partner : graph_.partners(reached[i]))
        if (at(inside_, partner.rank) && !at(taken_, partner.rank)) {
          at(taken_, partner.rank) = 1;
          reached.push_back(partner.rank);
        }
    for (const int r : ranks) at(taken_, r) = 0;
    return reached.back();
  }

  std::vector<int> grow(std::span<const int> ranks, std::size_t wanted, int start) {
    std::vector<int> part;
    std::priority_queue<std::pair<std::int64_t, int>> next;  // bytes with the part, minus the rank
    std::size_t unseen = 0;
    next.emplace(0, -start);
    while (part.size() < wanted) {
      if (next.empty()) {  // a graph in several pieces
        while (at(taken_, ranks[unseen])) ++unseen;
        next.emplace(0, -ranks[unseen]);
      }
      const auto [bytes, negative] = next.top();
      next.pop();
      const int rank = -negative;
      if (at(taken_, rank) || bytes != at(bytes_, rank)) continue;  // an older entry
      at(taken_, rank) = 1;
      part.push_back(rank);
      for (const auto& partner : graph_.partners(rank))
        if (at(inside_, partner.rank) && !at(taken_, partner.rank))
          next.emplace(at(bytes_, partner.rank) += partner.bytes, -partner.rank);
    }
    for (const int r : ranks) {
      at(bytes_, r) = 0;
      at(taken_, r) = 0;
    }
    return part;
  }

  const RankGraph& graph_;
  std::vector<char> inside_;
  std::vector<std::int64_t> bytes_;
  std::vector<char> taken_;
};

}  // namespace

std::vector<int> bisected_ranks(const Coordinates& positions, const Coordinates& slots) {
  const Axes axes(positions, slots);
  return bisected(positions.nodes(), [&](std::span<int> ranks, std::span<int> row, std::size_t) {
    axes.divide(ranks, row);
  });
}

std::vector<int> bisected_ranks(const RankGraph& graph, const Coordinates& slots) {
  Growth growth(graph);
  return bisected(graph.ranks(), [&](std::span<int> ranks, std::span<int> row, std::size_t first) {
    growth.divide(ranks, first);
    sort_in_snake_order(slots, longest_first(spans_of(slots, row)), row);
  });
}

double hop_bytes(const RankGraph& graph, const Machine& machine, std::span<const int> node_of_slot,
                 std::span<const int> slot_of_rank) {
  const auto node = [&](int rank) {
    return node_of_slot[static_cast<std::size_t>(slot_of_rank[static_cast<std::size_t>(rank)])];
  };
  double sum = 0;
  for (int rank = 0; rank < graph.ranks(); ++rank)
    for (const auto& partner : graph.partners(rank))
      if (partner.rank > rank)
        sum += static_cast<double>(partner.bytes) * machine.hops(node(rank), node(partner.rank));
  return sum;
}

}  // namespace fg::topology
