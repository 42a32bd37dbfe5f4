// SPDX-License-Identifier: BSD-3-Clause
//
// The ways of messages on a torus, link by link.
#pragma once

#include "topology/machines/torus.hpp"

namespace fg::topology {

template <class Visit>
bool Torus::along_axis(int router, int axis, Steps steps, double share, const Visit& visit) const {
  const Axis& at = axes_[as_index(axis)];
  const int last = at.length - 1, step = steps.forward ? at.stride : -at.stride;
  int place = position(router, axis);
  for (int i = 0; i < steps.number; ++i) {
    const int link = link_along(router, axis, steps.forward);
    if (link < 0) return false;
    visit(link, share);
    const bool around = place == (steps.forward ? last : 0);
    router += around ? -last * step : step;
    place = around ? last - place : place + (steps.forward ? 1 : -1);
  }
  return true;
}

template <class Visit>
bool Torus::along_axis(int router, int axis, int to, Ties ties, const Visit& visit) const {
  const Axis& on = axes_[as_index(axis)];
  const int from = position(router, axis), difference = to - from;
  const int shortest = steps(from, to, on);
  const bool ahead = on.wraps ? (difference + on.length) % on.length == shortest : difference > 0;
  const bool tie = on.wraps && 2 * shortest == on.length;
  if (tie && ties == Ties::both)
    return along_axis(router, axis, Steps{true, shortest}, 0.5, visit) &&
           along_axis(router, axis, Steps{false, shortest}, 0.5, visit);
  return along_axis(router, axis, Steps{tie ? ties == Ties::forward : ahead, shortest}, 1, visit);
}

template <class Visit>
bool Torus::in_order_of_axes(int from, int to, Ties ties, const Visit& visit) const {
  int router = from;
  for (int axis = 0; axis < axes(); ++axis) {
    const int target = position(to, axis), difference = target - position(from, axis);
    if (difference == 0) continue;
    if (!along_axis(router, axis, target, ties, visit)) return false;
    router += difference * axes_[as_index(axis)].stride;
  }
  return true;
}

}  // namespace fg::topology
