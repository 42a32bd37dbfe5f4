// SPDX-License-Identifier: BSD-3-Clause
//
// A constant effective cutoff for cells that change. In such cells the number of waves stays, so
// the cutoff itself falls as the cell grows. Then the energy rises and the stress is wrong (Pulay).
// A smooth step of height A in the kinetic energy at E0 makes waves above E0 useless in every cell.
// So the effective cutoff is E0:
//   T(G) = q(G) / 2 = |G|^2 / 2 + A (1 + erf((|G|^2 / 2 - E0) / sigma)).
// Source: Bernasconi et al., J. Phys. Chem. Solids 56, 501 (1995). With energies in Rydberg, A, E0
// and sigma are `qcutz`, `ecfixed` and `q2sigma` of Quantum ESPRESSO. Units: hartree, bohr.
#pragma once

#include <span>
#include <vector>

namespace fg::electrons {

struct EffectiveCutoff {
  double energy = 0;  // E0
  double height = 0;  // A
  double width = 1;   // sigma

  /// q, for |G|^2 [1/bohr^2].
  double square(double square) const noexcept;
  /// Its derivative by |G|^2.
  double slope(double square) const noexcept;

  /// The same for waves [waves].
  std::vector<double> squares(std::span<const double> squares) const;
  std::vector<double> slopes(std::span<const double> squares) const;
};

}  // namespace fg::electrons
