// SPDX-License-Identifier: BSD-3-Clause
//
// The Ewald sum term by term, in double precision and in plain loops: the reference for all faster
// methods.
// Units: hartree, bohr, elementary charges.
// Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995), eqs. 2.3 to 2.7.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "forces/mesh/influence.hpp"

namespace fg::reference {

/// Energy, virial (sum r_a f_b) and forces of one term.
struct TermResult {
  double energy = 0;
  Virial virial{};
  std::vector<Vec3> forces;
};

/// The integer triples in the reciprocal sum: all with |k_a| <= limit[a] and, if below_square is
/// positive, kx^2 + ky^2 + kz^2 < below_square. If longest is positive, only waves up to it.
struct WaveRule {
  std::array<int, 3> limit{};
  int below_square = 0;
  double longest = 0;  // [1/bohr]
};

/// Reciprocal space by explicit sums over wave vectors.
TermResult ewald_fourier(const Box& box, double alpha, const WaveRule& rule,
                         std::span<const Vec3> positions, std::span<const double> charges);

/// q_i q_j erfc(alpha r)/r over pairs of different molecules, nearest images within `cutoff`.
TermResult ewald_real(const Box& box, double alpha, double cutoff, std::span<const Vec3> positions,
                      std::span<const double> charges, std::span<const int> molecule);

/// -q_i q_j erf(alpha r)/r over pairs of the same molecule: removes the contribution of excluded
/// pairs to the reciprocal sum.
TermResult ewald_excluded(const Box& box, double alpha, std::span<const Vec3> positions,
                          std::span<const double> charges, std::span<const int> molecule);

}  // namespace fg::reference
