// SPDX-License-Identifier: BSD-3-Clause
//
// Bonded terms of each kind with parameters of a usual size, for tests of all kinds.
// Units: bohr, hartree, radians.
#pragma once

#include <cmath>
#include <type_traits>
#include <vector>

#include "forces/terms/terms.hpp"

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
inline std::vector<GromosBond> samples() {
  return {{.length = 2.1, .stiffness = 0.05}};
}
template <>
inline std::vector<GromosAngle> samples() {
  return {{.angle = 1.9, .stiffness = 0.2}};
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
inline std::vector<HarmonicTorsion> samples() {
  return {{.angle = 0.0, .stiffness = 0.03}, {.angle = 2.5, .stiffness = 0.004}};
}
template <>
inline std::vector<Cmap> samples() {
  return {{.map = 0}, {.map = 1}};
}
template <>
inline std::vector<ExceptionPair> samples() {
  return {{.charge_product = 0.1, .sigma = 3.0, .epsilon = 2e-4}};
}
template <>
inline std::vector<FarExclusion> samples() {
  return {{.charge_product = 0.1, .ewald_coefficient = 0.16}};
}

/// What the samples of a kind share. A kind that shares something does not compile without.
template <class Term>
typename Term::Shared shared_by_samples() {
  static_assert(std::is_same_v<typename Term::Shared, NothingShared>);
  return {};
}
template <>
inline CmapMaps shared_by_samples<Cmap>() {
  CmapMaps maps{.size = {24, 5}, .energy = {}};
  for (const int size : maps.size)
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i) {
        const double turn = 2 * std::acos(-1.0) / size;
        maps.energy.push_back(0.003 * std::cos(turn * i) + 0.002 * std::sin(turn * (2 * j - i)));
      }
  return maps;
}

}  // namespace fg::test
