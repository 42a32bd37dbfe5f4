// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/orbitals/geometry_extrapolation.hpp"

#include <cmath>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

constexpr double furthest = 3;
/// The least squared sine of the angle between two displacements.
constexpr double least_difference = 1e-6;

using Displacements = std::vector<Vec3>;

double product(const Displacements& a, const Displacements& b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
  return sum;
}

}  // namespace

std::vector<double> geometry_shares(std::span<const std::vector<Vec3>> past,
                                    std::span<const Vec3> now,
                                    const std::function<Vec3(const Vec3&)>& shortest) {
  FG_CHECK(!past.empty() && past.size() <= most_past_geometries);
  const auto displacement = [&](std::span<const Vec3> to, std::span<const Vec3> from) {
    FG_CHECK(to.size() == from.size());
    Displacements d(to.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = shortest(to[i] - from[i]);
    return d;
  };
  if (past.size() == 1) return {1};
  const Displacements d0 = displacement(now, past[0]), d1 = displacement(past[0], past[1]);
  const double s11 = product(d1, d1), s01 = product(d0, d1);
  if (!(s11 > 0)) return {1};
  if (past.size() == 3) {
    const Displacements d2 = displacement(past[1], past[2]);
    const double s22 = product(d2, d2), s12 = product(d1, d2), s02 = product(d0, d2);
    const double determinant = s11 * s22 - s12 * s12;
    if (determinant > least_difference * s11 * s22) {
      const double a = (s01 * s22 - s02 * s12) / determinant;
      const double b = (s02 * s11 - s01 * s12) / determinant;
      if (std::abs(a) <= furthest && std::abs(b) <= furthest) return {1 + a, b - a, -b};
    }
  }
  const double a = s01 / s11;
  if (!(std::abs(a) <= furthest)) return {1};
  return {1 + a, -a};
}

}  // namespace fg::electrons
