// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over waves of G_a G_b with weights, which the derivatives of most energies by the strain
// are. Units: bohr.
#pragma once

#include <span>
#include <vector>

#include "base/virial.hpp"
#include "electrons/waves/parts_of_sum.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

/// Adds sum_G weight(G) G_a G_b over the waves of this share; `weights` [waves], with those of the
/// half sphere in them.
inline void add_squares_of_waves(const PlaneWaves& waves, std::span<const double> weights,
                                 Virial& virial) {
  std::vector<Vec3> g(waves.size());
  for (std::size_t i = 0; i < g.size(); ++i) g[i] = waves.wave(i);
  const auto sum = [&](int a, int b) {
    return sum_in_parts(g.size(), [&](std::size_t i) { return weights[i] * g[i][a] * g[i][b]; });
  };
  virial[0] += sum(0, 0);
  virial[1] += sum(1, 1);
  virial[2] += sum(2, 2);
  virial[3] += sum(0, 1);
  virial[4] += sum(0, 2);
  virial[5] += sum(1, 2);
}

}  // namespace fg::electrons
