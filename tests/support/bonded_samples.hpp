// SPDX-License-Identifier: BSD-3-Clause
//
// Bonded terms of each kind with parameters of a usual size, for tests of all kinds.
// Units: bohr, hartree, radians.
#pragma once

#include <cmath>
#include <vector>

#include "forces/bonded/terms.hpp"

namespace fg::test {

/// Some of each kind. A kind without one does not compile.
template <class Term>
std::vector<Term> samples() = delete;
template <>
inline std::vector<HarmonicBond> samples() {
  return {{.length = 2.1, .stiffness = 0.4}};
}
template <>
inline std::vector<HarmonicAngle> samples() {
  return {{.angle = 1.9, .stiffness = 0.15}};
}
template <>
inline std::vector<PeriodicTorsion> samples() {
  return {{.periodicity = 1, .phase = 0.0, .stiffness = 0.004},
          {.periodicity = 2, .phase = std::acos(-1.0), .stiffness = 0.004},
          {.periodicity = 3, .phase = 0.7, .stiffness = 0.004},
          {.periodicity = 6, .phase = 0.0, .stiffness = 0.004}};
}
template <>
inline std::vector<RyckaertBellemans> samples() {  // butane, 10.1039/DC9786600095
  return {{.c0 = 0.00353, .c1 = 0.00463, .c2 = -0.005, .c3 = -0.00117, .c4 = 0.01, .c5 = -0.012}};
}
template <>
inline std::vector<ExceptionPair> samples() {
  return {{.charge_product = 0.1, .sigma = 3.0, .epsilon = 2e-4}};
}
template <>
inline std::vector<FarExclusion> samples() {
  return {{.charge_product = 0.1, .ewald_coefficient = 0.16}};
}

}  // namespace fg::test
