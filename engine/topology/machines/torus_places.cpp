// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/torus_places.hpp"

namespace fg::topology {

TorusPlaces::TorusPlaces(const TorusDescription& description)
    : axes_(description.axes),
      lengths_(description.lengths),
      wraps_(description.wraps),
      strides_(lengths_.size()) {
  wraps_.resize(lengths_.size(), true);
  for (std::size_t axis = lengths_.size(); axis-- > 0;) {
    strides_[axis] = routers_;
    routers_ *= lengths_[axis];
  }
}

std::string TorusPlaces::axis_names() const {
  if (!axes_.empty()) return axes_;
  const char first = axes() <= 3 ? 'X' : 'A';
  std::string names;
  for (int axis = 0; axis < axes(); ++axis) names += static_cast<char>(first + axis);
  return names;
}

int TorusPlaces::router(const std::vector<int>& coordinates) const noexcept {
  int number = 0;
  for (std::size_t axis = 0; axis < lengths_.size(); ++axis)
    number += coordinates[axis] * strides_[axis];
  return number;
}

std::vector<int> TorusPlaces::coordinates(int router) const {
  std::vector<int> at;
  for (std::size_t axis = 0; axis < lengths_.size(); ++axis)
    at.push_back(router / strides_[axis] % lengths_[axis]);
  return at;
}

int TorusPlaces::in_order(int place, NodeOrder order) const {
  if (order == NodeOrder::last_coordinate_fastest) return place;
  int router = 0;
  for (std::size_t axis = 0; axis < lengths_.size(); ++axis) {
    router += place % lengths_[axis] * strides_[axis];
    place /= lengths_[axis];
  }
  return router;
}

}  // namespace fg::topology
