// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of spherical functions of the ions on one share of the density's half sphere, such as local
// potential, model core and density of free atoms:
//   f(G) = V^(-1) sum_I exp(-i G . R_I) f_I(|G|),   f_I(G) = integral f_I(r) exp(-i G . r).
// Let p(G) be another field, such as the density or the exchange-correlation potential. The
// integral of the product is E = V sum_G f(G)* p(G), where V cancels. Units: bohr; f_I has those of
// f(r) times bohr^3. Source: Payne et al., Rev. Mod. Phys. 64, 1045 (1992), section II.D; the
// strain: Nielsen and Martin, Phys. Rev. B 32, 3792 (1985).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "base/virial.hpp"
#include "electrons/ions/phase_factors.hpp"

namespace fg::electrons {

/// f_I and its derivative by |G| for each wave of a share; both empty for ions without f.
struct RadialWaves {
  std::vector<double> values;
  std::vector<double> slopes;
};

class IonField {
 public:
  using Waves = std::span<const std::complex<double>>;

  /// The functions of each kind of ion; the waves must outlive it. Throws InternalError if an array
  /// is neither empty nor [waves], or if an ion is of a kind that is not there.
  IonField(const PlaneWaves& waves, std::vector<RadialWaves> kinds,
           std::span<const int> kind_of_ion);

  /// Writes f(G) [waves]. Ions are added up kind by kind, in their order.
  void write(std::span<const Vec3> positions, std::span<std::complex<double>> field) const;

  /// Adds this share's part of minus the derivative of E by each position, p(G) held constant.
  void add_forces(std::span<const Vec3> positions, Waves partner, std::span<Vec3> forces) const;

  /// Adds this share's part of minus the derivative of E by the strain, through f_I(|G|) alone.
  /// p(G) is held constant. If instead V p(G) is constant, as that of a density is, the diagonal
  /// has E besides.
  void add_virial(std::span<const Vec3> positions, Waves partner, Virial& virial) const;

 private:
  bool has(int kind) const noexcept {
    return !kinds_[static_cast<std::size_t>(kind)].values.empty();
  }

  const PlaneWaves* waves_;
  PhaseFactors phases_;
  std::vector<RadialWaves> kinds_;
  std::vector<int> kind_of_ion_;
};

}  // namespace fg::electrons
