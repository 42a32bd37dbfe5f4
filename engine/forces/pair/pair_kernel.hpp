// SPDX-License-Identifier: BSD-3-Clause
//
// Lennard-Jones and real-space Coulomb forces over a pair list, by SIMD (Highway), for the target
// that suits the machine. Forces are added in the neighbourhood's own layout.
// Units: lengths scaled by length_scale(), which makes the cutoff sqrt(2), so that r^2 - 1 runs
// over
// [-1, 1]; forces and energies in Hartree atomic units.
#pragma once

#include <array>

#include "forces/pair/ewald_fit.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/neighbourhood.hpp"
#include "particles/pair_list.hpp"

namespace fg {

/// Constants of a job, in the kernel's scaled lengths.
template <class Real>
struct PairConstants {
  Real charge_factor;         // on the home charge: forces come out in hartree/bohr
  Real epsilon_factor;        // on the home root_epsilon, likewise
  Real coulomb_energy;        // from the kernel's Coulomb sum to hartree
  Real lennard_jones_energy;  // and from its Lennard-Jones sum
  Real reaction_field_k, reaction_field_c;
  Real switch_start, switch_scale;  // r where switching starts, 1 / (cutoff - start)
  std::array<Real, ewald_terms_max> force_fit, energy_fit;  // powers of r^2 - 1, highest first
};

template <class Real>
class PairKernel {
 public:
  explicit PairKernel(const PairSettings& settings);

  double length_scale() const noexcept { return length_scale_; }
  /// Quads per SIMD vector: what lists for this kernel must be grouped by.
  int group() const noexcept;

  void forces(const PairList& list, Real* data) const noexcept;
  /// Also returns the energies (not the virial, which follows from the forces and positions).
  PairEnergies energies(const PairList& list, Real* data) const noexcept;

  using ForceFunction = void (*)(const PairConstants<Real>&, const PairList&, Real*);
  using EnergyFunction = void (*)(const PairConstants<Real>&, const PairList&, Real*, double*);

 private:
  PairConstants<Real> constants_;
  double length_scale_;
  ForceFunction forces_;
  EnergyFunction energies_;
};

}  // namespace fg
