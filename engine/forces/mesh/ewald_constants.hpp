// SPDX-License-Identifier: BSD-3-Clause
//
// The parts of an Ewald sum that depend only on the charges. One is each charge's interaction with
// its own Gaussian. If the charges do not add up to zero, another is their interaction with the
// uniform background that makes the sum finite. OpenMM's NonbondedForce has the same two terms
// (tested with OpenMM 8.6 on a single ion). Units: hartree, bohr, elementary charges. Source:
// Essmann et al., J. Chem. Phys. 103, 8577 (1995), eq. 2.5; Hummer, Pratt and Garcia, J. Phys.
// Chem. 100, 1206 (1996), eq. 8.
#pragma once

#include <numbers>
#include <span>

#include "base/box.hpp"

namespace fg {

struct EwaldConstants {
  double self = 0;
  double background = 0;  // times the volume [hartree bohr^3]

  /// The energy of the background; its virial is this times the unit tensor.
  double background_in(const Box& box) const noexcept { return background / box.volume(); }
  double energy(const Box& box) const noexcept { return self + background_in(box); }
};

/// The charges are those of one of several copies.
inline EwaldConstants ewald_constants(std::span<const double> charges, double alpha,
                                      int copies = 1) noexcept {
  double sum = 0, squares = 0;
  for (int copy = 0; copy < copies; ++copy)
    for (double q : charges) sum += q, squares += q * q;
  return {.self = -alpha * std::numbers::inv_sqrtpi * squares,
          .background = -std::numbers::pi * sum * sum / (2 * alpha * alpha)};
}

}  // namespace fg
