// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/place_tree.hpp"

#include <algorithm>
#include <numeric>

namespace fg::topology {

namespace {

std::size_t as_index(int number) {
  return static_cast<std::size_t>(number);
}

}  // namespace

PlaceTree::PlaceTree(std::span<const std::vector<int>> position_of_place)
    : levels_(position_of_place.size()),
      places_(position_of_place.front().size()),
      least_below_(position_of_place.size()) {
  std::iota(places_.begin(), places_.end(), 0);
  const auto first_difference = [&](int a, int b) {
    std::size_t axis = 0;
    while (axis < levels_.size() &&
           position_of_place[axis][as_index(a)] == position_of_place[axis][as_index(b)])
      ++axis;
    return axis;
  };
  std::ranges::stable_sort(places_, [&](int a, int b) {
    const std::size_t axis = first_difference(a, b);
    return axis < levels_.size() &&
           position_of_place[axis][as_index(a)] < position_of_place[axis][as_index(b)];
  });
  for (std::size_t i = 0; i < places_.size(); ++i) {
    const std::size_t new_from = i == 0 ? 0 : first_difference(places_[i - 1], places_[i]);
    for (std::size_t depth = new_from; depth < levels_.size(); ++depth) {
      levels_[depth].position.push_back(position_of_place[depth][as_index(places_[i])]);
      levels_[depth].first.push_back(depth + 1 < levels_.size() ? levels_[depth + 1].position.size()
                                                                : i);
    }
  }
  for (std::size_t depth = 0; depth < levels_.size(); ++depth)
    levels_[depth].first.push_back(depth + 1 < levels_.size() ? levels_[depth + 1].position.size()
                                                              : places_.size());
}

std::span<const PlaceTree::Found> PlaceTree::cheapest(std::span<const double* const> costs,
                                                      std::span<const double> least_on_axis,
                                                      double limit, std::size_t count) {
  costs_ = costs;
  limit_ = limit;
  count_ = count;
  found_.clear();
  double below = 0;
  for (std::size_t depth = levels_.size(); depth-- > 0;) {
    least_below_[depth] = below;
    below += least_on_axis[depth];
  }
  search(0, 0, levels_.front().position.size(), 0);
  return found_;
}

bool PlaceTree::may_be_found(double least) const noexcept {
  return least < limit_ && (found_.size() < count_ || least <= found_.front().cost);
}

void PlaceTree::offer(double cost, int place) {
  const Found one{.cost = cost, .place = place};
  if (found_.size() == count_) {
    if (!(one < found_.front())) return;
    std::pop_heap(found_.begin(), found_.end());
    found_.pop_back();
  }
  found_.push_back(one);
  std::push_heap(found_.begin(), found_.end());
}

void PlaceTree::search(std::size_t depth, std::size_t begin, std::size_t end, double cost) {
  Level& level = levels_[depth];
  const double* const costs = costs_[depth];
  level.vertices.clear();
  for (std::size_t vertex = begin; vertex < end; ++vertex) {
    const double with = cost + costs[level.position[vertex]];
    if (may_be_found(with + least_below_[depth]))
      level.vertices.push_back({.cost = with, .place = static_cast<int>(vertex)});
  }
  std::sort(level.vertices.begin(), level.vertices.end());
  for (const Found& one : level.vertices) {
    if (!may_be_found(one.cost + least_below_[depth])) break;
    const std::size_t first = level.first[as_index(one.place)];
    const std::size_t last = level.first[as_index(one.place) + 1];
    if (depth + 1 < levels_.size())
      search(depth + 1, first, last, one.cost);
    else
      for (std::size_t i = first; i < last; ++i) offer(one.cost, places_[i]);
  }
}

}  // namespace fg::topology
