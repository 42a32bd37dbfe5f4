// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over waves of G_a G_b with weights: the form of the derivatives of most energies by the
// strain. Also the virial of the kinetic energy of orbitals. That energy and its force are in
// kinetic_line of ab_initio/orbitals/orbital_lines.hpp. Units: hartree, bohr. Source: Payne et al.,
// Rev. Mod. Phys. 64, 1045 (1992), section II.D; the strain: Nielsen and Martin, Phys. Rev. B 32,
// 3792 (1985).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "base/virial.hpp"
#include "electrons/waves/parts_of_sum.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

/// Adds sum_G weight(G) G_a G_b over the waves of this share. `weights` [waves] include the weights
/// of the half sphere.
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

/// Adds f sum over all G of G_a G_b |c|^2 of the orbitals in `block` [orbitals][waves]. This is
/// this share's part of minus the derivative of f times their energy by the strain [hartree]. With
/// `slopes` [waves] the kinetic energy is not |G|^2 / 2 but q / 2, and the slopes are dq / d|G|^2
/// (effective_cutoff.hpp).
void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes = {});

}  // namespace fg::electrons
