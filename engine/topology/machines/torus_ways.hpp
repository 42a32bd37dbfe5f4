// SPDX-License-Identifier: BSD-3-Clause
//
// The ways of messages on a torus, as stretches of links along its axes. Each line of links has a
// row of places. What all messages put on a line follows from where each stretch begins and ends,
// and the sum of a value over a stretch from two sums along the line. So neither takes a look at
// each link of each way.
#pragma once

#include <cstdlib>
#include <span>

#include "topology/machines/torus.hpp"

namespace fg::topology {

template <class Visit>
void Torus::for_each_stretch_on(int number, int router, int difference, Ties ties,
                                const Visit& visit) const {
  const Axis& axis = axes_[as_index(number)];
  const int at = position(router, number);
  const int around = difference < 0 ? difference + axis.length : difference;
  const int back = axis.length - around;  // links the other way
  const bool tie = axis.wraps && around == back;
  const bool forward = !axis.wraps ? difference > 0 : tie ? ties != Ties::back : around < back;
  const auto go = [&](bool ahead, double share) {
    const int links = !axis.wraps ? std::abs(difference) : ahead ? around : back;
    const int last = at - links + 1;  // position of the last link backwards
    visit(Stretch{.first = place_of_line(router, number, ahead),
                  .step = as_index(axis.stride),
                  .length = axis.length,
                  .begin = ahead      ? at
                           : last < 0 ? last + axis.length
                                      : last,
                  .number = links,
                  .forward = ahead,
                  .share = share});
  };
  if (tie && ties == Ties::both) {
    go(true, 0.5);
    go(false, 0.5);
  } else {
    go(forward, 1);
  }
}

template <class Visit>
void Torus::for_each_stretch(int from, int to, Ties ties, const Visit& visit) const {
  int router = from;
  for (int number = 0; number < axes(); ++number) {
    const int difference = position(to, number) - position(from, number);
    if (difference == 0) continue;
    for_each_stretch_on(number, router, difference, ties, visit);
    router += difference * axes_[as_index(number)].stride;
  }
}

template <class Visit>
void Torus::for_each_link(int from, int to, Ties ties, const Visit& visit) const {
  for_each_stretch(from, to, ties, [&](const Stretch& stretch) {
    for (int i = 0; i < stretch.number; ++i) {
      const int at = stretch.begin + (stretch.forward ? i : stretch.number - 1 - i);
      const int position = at < stretch.length ? at : at - stretch.length;
      visit(link_at_[stretch.first + as_index(position) * stretch.step], stretch.share);
    }
  });
}

template <class Visit>
void Torus::for_each_line(const Visit& visit) const {
  for (int number = 0; number < axes(); ++number) {
    const Axis& axis = axes_[as_index(number)];
    for (int router = 0; router < routers(); ++router)
      if (position(router, number) == 0)
        for (const bool forward : {true, false})
          visit(place_of_line(router, number, forward), as_index(axis.stride), axis.length);
  }
}

/// The sum over a stretch of a value of each place, from the sums before each place of its line.
template <class Value, class Stretch>
[[gnu::always_inline]] inline Value sum_over(const Stretch& stretch,
                                             std::span<const Value> before) {
  const auto at = [&](int position) {
    return before[stretch.first + static_cast<std::size_t>(position) * stretch.step];
  };
  const int end = stretch.begin + stretch.number;
  if (end <= stretch.length) return at(end) - at(stretch.begin);
  return at(stretch.length) - at(stretch.begin) + at(end - stretch.length);
}

}  // namespace fg::topology
