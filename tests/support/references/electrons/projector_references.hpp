// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of the nonlocal part, exact and with phases of splines: sums wave by wave over all
// waves of a half sphere.
#pragma once

#include <complex>
#include <span>
#include <vector>

#include "electrons/nonlocal/projectors.hpp"
#include "support/references/electrons/ion_references.hpp"

namespace fg::electrons::reference {

/// What Projectors and SplineProjectors compute.
struct Nonlocal {
  std::vector<double> z;  // [rows][orbitals]
  double energy = 0;
  std::vector<std::complex<double>> applied;  // [orbitals][waves]
  std::vector<Vec3> forces;
  Virial virial{};
};

/// With exact phases.
Nonlocal nonlocal(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                  std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                  Projectors::Block block, std::size_t orbitals, double occupation);
/// With other phases.
Nonlocal nonlocal(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                  std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                  Projectors::Block block, std::size_t orbitals, double occupation,
                  const IonPhases& phases);

}  // namespace fg::electrons::reference
