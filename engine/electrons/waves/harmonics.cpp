// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/harmonics.hpp"

#include <cmath>
#include <numbers>

namespace fg::electrons {

namespace {

/// sqrt(n / (d pi)).
double root(double n, double d) noexcept {
  return std::sqrt(n / d * std::numbers::inv_pi);
}

Harmonic scaled(double factor, double value, const Vec3& gradient) noexcept {
  return {factor * value, gradient * factor};
}

}  // namespace

std::array<Harmonic, 2 * most_l + 1> solid_harmonics(int l, const Vec3& r) noexcept {
  const auto [x, y, z] = r;
  switch (l) {
    case 0:
      return {scaled(root(1, 4), 1, {})};
    case 1: {
      const double c = root(3, 4);
      return {scaled(c, y, {0, 1, 0}), scaled(c, z, {0, 0, 1}), scaled(c, x, {1, 0, 0})};
    }
    case 2: {
      const double c = root(15, 4);
      return {scaled(c, x * y, {y, x, 0}), scaled(c, y * z, {0, z, y}),
              scaled(root(5, 16), 2 * z * z - x * x - y * y, {-2 * x, -2 * y, 4 * z}),
              scaled(c, x * z, {z, 0, x}), scaled(c / 2, x * x - y * y, {2 * x, -2 * y, 0})};
    }
    default: {
      const double third = root(35, 32), first = root(21, 32), second = root(105, 4);
      const double ring = 4 * z * z - x * x - y * y;
      return {scaled(third, y * (3 * x * x - y * y), {6 * x * y, 3 * x * x - 3 * y * y, 0}),
              scaled(second, x * y * z, {y * z, x * z, x * y}),
              scaled(first, y * ring, {-2 * x * y, ring - 2 * y * y, 8 * y * z}),
              scaled(root(7, 16), z * (2 * z * z - 3 * x * x - 3 * y * y),
                     {-6 * x * z, -6 * y * z, 6 * z * z - 3 * x * x - 3 * y * y}),
              scaled(first, x * ring, {ring - 2 * x * x, -2 * x * y, 8 * x * z}),
              scaled(second / 2, z * (x * x - y * y), {2 * x * z, -2 * y * z, x * x - y * y}),
              scaled(third, x * (x * x - 3 * y * y), {3 * x * x - 3 * y * y, -6 * x * y, 0})};
    }
  }
}

}  // namespace fg::electrons
