// SPDX-License-Identifier: BSD-3-Clause
//
// Spherical harmonics: against their twin, by their orthogonality, and their gradients by finite
// differences.
#include "electrons/waves/harmonics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>

#include "support/references/electrons/wave_references.hpp"
#include "support/strain.hpp"

namespace fg::electrons {
namespace {

std::vector<Vec3> random_places() {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> uniform(-1.5, 1.5);
  std::vector<Vec3> places = {{0, 0, 1}, {0, 0, -1}, {1, 0, 0}, {0, -1, 0}};
  for (int i = 0; i < 100; ++i)
    places.push_back({uniform(random), uniform(random), uniform(random)});
  return places;
}

TEST(Harmonics, AreThoseOfTheTwin) {
  for (int l = 0; l <= most_l; ++l)
    for (const Vec3& r : random_places()) {
      const auto found = solid_harmonics(l, r);
      const std::vector<double> right = reference::solid_harmonics(l, r);
      ASSERT_EQ(right.size(), static_cast<std::size_t>(2 * l + 1));
      for (int m = 0; m < 2 * l + 1; ++m)
        EXPECT_NEAR(found[m].value, right[m], 2e-14 * (1 + std::pow(norm(r), l)));
    }
}

/// The theorem of addition, which makes a sum over m the same in all directions.
TEST(Harmonics, ProductsAddUpToALegendrePolynomial) {
  const std::vector<Vec3> places = random_places();
  for (int l = 0; l <= most_l; ++l)
    for (std::size_t i = 1; i < places.size(); ++i) {
      const Vec3 a = places[i - 1] * (1 / norm(places[i - 1])),
                 b = places[i] * (1 / norm(places[i]));
      const auto at_a = solid_harmonics(l, a), at_b = solid_harmonics(l, b);
      double sum = 0;
      for (int m = 0; m < 2 * l + 1; ++m) sum += at_a[m].value * at_b[m].value;
      const double right =
          (2 * l + 1) / (4 * std::numbers::pi) * std::legendre(static_cast<unsigned>(l), dot(a, b));
      EXPECT_NEAR(sum, right, 1e-14);
    }
}

TEST(Harmonics, GradientsAreTheSlopesOfValues) {
  for (int l = 0; l <= most_l; ++l)
    for (const Vec3& r : random_places())
      for (int m = 0; m < 2 * l + 1; ++m)
        for (int axis = 0; axis < 3; ++axis) {
          const auto value = [&](double step) {
            Vec3 moved = r;
            moved[axis] += step;
            return solid_harmonics(l, moved)[m].value;
          };
          // Exact for polynomials of degree 3 but for rounding of values up to 10.
          EXPECT_NEAR(solid_harmonics(l, r)[m].gradient[axis], test::sixth_order_slope(value, 0.1),
                      2e-13);
        }
}

}  // namespace
}  // namespace fg::electrons
