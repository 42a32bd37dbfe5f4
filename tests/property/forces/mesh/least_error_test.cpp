// SPDX-License-Identifier: BSD-3-Clause
//
// The optimal influence function gives forces with the least error: the error of many pairs of
// charges, each force of the mesh against the explicit sum over waves, is least with this function,
// and it is as large as the formula says. The error of smooth PME is larger. Units: bohr, hartree.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "support/cells.hpp"
#include "support/references/forces/influence_reference.hpp"
#include "support/references/forces/pme_reference.hpp"

namespace fg::test {
namespace {

/// Two unit charges at places that have nothing to do with the mesh.
using Pair = std::vector<Vec3>;

class LeastError : public ::testing::TestWithParam<std::tuple<int, Box>> {
 protected:
  static constexpr int pairs = 400;

  MeshSettings settings_{.box = std::get<1>(GetParam()),
                         .mesh = {8, 9, 8},
                         .order = std::get<0>(GetParam()),
                         .alpha = 0.3,
                         .influence = InfluenceFunction::optimal};

  std::vector<Pair> places() const {
    std::mt19937_64 random(5);
    std::uniform_real_distribution<double> unit;
    const auto place = [&] {
      const double x = unit(random), y = unit(random), z = unit(random);
      return settings_.box.position(Vec3{x, y, z});
    };
    std::vector<Pair> result;
    for (int i = 0; i < pairs; ++i) {
      const Vec3 one = place();
      result.push_back({one, place()});
    }
    return result;
  }

  /// The force on the first charge from the second: without that of a charge on itself, which does
  /// not depend on the sign of the other one.
  template <class ForceOfCharges>
  static std::vector<Vec3> pair_forces(const std::vector<Pair>& places, ForceOfCharges&& force) {
    std::vector<Vec3> result;
    for (const Pair& pair : places)
      result.push_back((force(pair, {1, 1}) - force(pair, {1, -1})) * 0.5);
    return result;
  }
  static std::vector<Vec3> mesh_forces(const std::vector<Pair>& places, const MeshSettings& s,
                                       const reference::WaveFactor& factor = {}) {
    return pair_forces(places, [&](const Pair& pair, const std::vector<double>& charges) {
      return reference::pme(s, pair, charges, factor).forces[0];
    });
  }
  std::vector<Vec3> exact_forces(const std::vector<Pair>& places) const {
    // Beyond 0.55 a Gaussian is below exp(-33).
    const reference::WaveRule waves{.limit = {13, 13, 13}, .longest = 0.55};
    return pair_forces(places, [&](const Pair& pair, const std::vector<double>& charges) {
      return reference::ewald_fourier(settings_.box, settings_.alpha, waves, pair, charges)
          .forces[0];
    });
  }

  /// The mean of a . b over the pairs.
  static double mean_product(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
    double sum = 0;
    for (std::size_t i = 0; i < a.size(); ++i) sum += dot(a[i], b[i]);
    return sum / static_cast<double>(a.size());
  }
  static std::vector<Vec3> difference(std::vector<Vec3> a, const std::vector<Vec3>& b) {
    for (std::size_t i = 0; i < a.size(); ++i) a[i] -= b[i];
    return a;
  }
};

TEST_P(LeastError, NoOtherFunctionIsBetter) {
  const auto where = places();
  const auto exact = exact_forces(where);
  const auto error = difference(mesh_forces(where, settings_), exact);
  const double least = mean_product(error, error);
  MeshSettings smooth = settings_;
  smooth.influence = InfluenceFunction::smooth;
  const auto error_of_smooth = difference(mesh_forces(where, smooth), exact);
  EXPECT_GT(mean_product(error_of_smooth, error_of_smooth), 1.05 * least);

  // If the function is multiplied by 1 + a shape, forces change by a times those of the shape, and
  // the mean square error is a parabola. At its lowest point the error has no correlation with the
  // change. Of 400 pairs a correlation is known to 1 / sqrt(400); this allows four times as much.
  const auto [nx, ny, nz] = settings_.mesh;
  const std::vector<reference::WaveFactor> shapes{
      [](const auto&) { return 1.0; },
      [nx](const auto& m) { return std::cos(2 * std::numbers::pi * m[0] / nx); },
      [ny, nz](const auto& m) {
        return std::cos(2 * std::numbers::pi * m[1] / ny) *
               std::cos(2 * std::numbers::pi * m[2] / nz);
      },
      [nx, nz](const auto& m) {  // only waves near the corners
        return std::abs(2 * m[0] - nx) < 3 && std::abs(2 * m[2] - nz) < 3 ? 1.0 : 0.0;
      }};
  for (const auto& shape : shapes) {
    const auto change = mesh_forces(where, settings_, shape);
    EXPECT_LT(std::abs(mean_product(error, change)),
              0.2 * std::sqrt(least * mean_product(change, change)));
  }
}

TEST_P(LeastError, IsThatOfTheFormula) {
  const auto [nx, ny, nz] = settings_.mesh;
  const auto influence = make_influence(settings_);
  double expected = 0;
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y)
      for (int z = 0; z < nz; ++z) {
        if (x == 0 && y == 0 && z == 0) continue;
        const auto sums = reference::images_of_wave(
            settings_,
            {2 * x <= nx ? x : x - nx, 2 * y <= ny ? y : y - ny, 2 * z <= nz ? z : z - nz});
        expected += reference::square_error(settings_, sums, influence->value(x, y, z));
      }
  const auto where = places();
  const auto error = difference(mesh_forces(where, settings_), exact_forces(where));
  // The mean of 400 squares with a few large ones: those of charges near each other.
  EXPECT_NEAR(mean_product(error, error), expected, 0.25 * expected);
}

INSTANTIATE_TEST_SUITE_P(OrdersAndCells, LeastError,
                         ::testing::Combine(::testing::Values(4, 5, 6, 8),
                                            ::testing::Values(Box{{16, 18, 16}}, skew_cell(18))));

}  // namespace
}  // namespace fg::test
