// SPDX-License-Identifier: BSD-3-Clause
//
// The virial of a whole row of waves against the sum over its waves.
#include "forces/mesh/influence.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

namespace fg {
namespace {

void expect_rows_like_waves(const MeshSettings& settings) {
  const auto influence = make_influence(settings);
  const auto [nx, ny, nz] = settings.mesh;
  std::mt19937 random(7);
  std::uniform_real_distribution<double> any(0.1, 1);
  for (int mz = 0; mz < nz; ++mz)
    for (int my = 0; my < ny; ++my) {
      std::vector<double> energies(static_cast<std::size_t>(nx));
      for (double& e : energies) e = any(random);
      Virial expected{};
      double size = 0;
      for (int mx = 0; mx < nx; ++mx) {
        const Virial one = influence->virial(mx, my, mz, energies[static_cast<std::size_t>(mx)]);
        for (int c = 0; c < 6; ++c) {
          expected[c] += one[c];
          size = std::max(size, std::abs(expected[c]));
        }
      }
      const Virial row = influence->row_virial(my, mz, energies);
      // Some nx roundings of numbers up to `size`.
      for (int c = 0; c < 6; ++c)
        EXPECT_NEAR(row[c], expected[c], 1e-13 * size) << my << " " << mz << " " << c;
    }
}

TEST(Influence, ARowHasTheVirialOfItsWaves) {
  for (const std::array<int, 3> mesh : {std::array{16, 18, 20}, {15, 9, 12}, {7, 8, 5}}) {
    for (const auto kind : {InfluenceFunction::smooth, InfluenceFunction::optimal})
      for (const Tilt tilt : {Tilt{}, Tilt{8, -6, 11}})
        expect_rows_like_waves({.box = {.edge = {24, 26, 28}, .tilt = tilt},
                                .mesh = mesh,
                                .alpha = 0.2,
                                .influence = kind});
  }
}

}  // namespace
}  // namespace fg
