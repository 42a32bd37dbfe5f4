// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of `electrons/ions`: one exponential for each wave and ion, over all
// waves of a half sphere. Units: bohr.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <functional>
#include <span>
#include <vector>

#include "electrons/ions/local_potential.hpp"
#include "electrons/ions/molecule.hpp"

namespace fg::electrons::reference {

/// exp(i G . R) of a wave at a position, and its gradient by R.
struct IonPhase {
  std::complex<double> value;
  std::array<std::complex<double>, 3> gradient;
};
using IonPhases = std::function<IonPhase(std::size_t wave, const Vec3& position)>;

/// The waves must outlive them.
IonPhases exact_phases(const PlaneWaves& waves);

/// The field of IonField, and the slopes of its product with a partner.
void ion_field(const PlaneWaves& waves, const std::vector<RadialWaves>& kinds,
               std::span<const int> kind_of_ion, std::span<const Vec3> positions,
               std::span<std::complex<double>> field);
struct IonFieldSlopes {
  std::vector<Vec3> forces;
  Virial virial{};
};
IonFieldSlopes ion_field_slopes(const PlaneWaves& waves, const std::vector<RadialWaves>& kinds,
                                std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                                IonField::Waves partner);

RadialWaves local_on_waves(const PlaneWaves& waves, const LocalPotential& local);
double integral(const PlaneWaves& waves, IonField::Waves a, IonField::Waves b) noexcept;

/// A sum over all points of the grid.
Vec3 electron_dipole(const Lattice& lattice, const Vec3& centre, const std::array<int, 3>& grid,
                     std::span<const double> density);

}  // namespace fg::electrons::reference
