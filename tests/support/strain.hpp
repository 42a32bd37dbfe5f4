// SPDX-License-Identifier: BSD-3-Clause
//
// The six strains that keep a cell's vectors in their form (a along x, b in xy), in the order of a
// virial: xx, yy and zz stretch, xy adds strain * y to x, xz adds strain * z to x, yz strain * z to
// y. Minus the derivative of the energy by each is that component of the virial.
#pragma once

#include <utility>

#include "base/box.hpp"

namespace fg::test {

inline Vec3 strained(Vec3 r, int component, double strain) {
  constexpr std::pair<int, int> axes[6] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const auto [to, from] = axes[component];
  r[to] += strain * r[from];
  return r;
}

inline Box strained(const Box& box, int component, double strain) {
  const Vec3 a = strained(box.vector(0), component, strain);
  const Vec3 b = strained(box.vector(1), component, strain);
  const Vec3 c = strained(box.vector(2), component, strain);
  return {.edge = {a.x, b.y, c.z}, .periodic = box.periodic, .tilt = {b.x, c.x, c.y}};
}

/// The slope at 0 by the central difference of sixth order. Its error is h^6 / 140 times the
/// seventh derivative, and 3.7 roundings of f over h.
template <class Function>
double sixth_order_slope(Function&& f, double h) {
  const auto odd = [&](double step) { return f(step) - f(-step); };
  return (45 * odd(h) - 9 * odd(2 * h) + odd(3 * h)) / (60 * h);
}

}  // namespace fg::test
