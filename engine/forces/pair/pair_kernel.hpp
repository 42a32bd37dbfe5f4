// SPDX-License-Identifier: BSD-3-Clause
//
// Lennard-Jones and real-space Coulomb forces over a pair list, by SIMD (Highway), for the best
// target of the machine. Forces are added in the neighbourhood's own layout. With fast bits, the
// same build and SIMD target give the same bits on processors with the same estimate of 1/sqrt(x)
// (rsqrtps). The estimate differs between manufacturers, so mixed precision does too. Portable bits
// are the same on all targets. Units: lengths scaled by
// length_scale(), which makes the cutoff sqrt(ewald_range); forces and energies in Hartree atomic
// units.
#pragma once

#include <array>
#include <span>

#include "base/aligned_vector.hpp"
#include "base/round_up.hpp"
#include "forces/pair/ewald_fit.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/neighbourhood.hpp"
#include "particles/pair_list.hpp"

namespace fg {

/// The form of Lennard-Jones that a function computes.
struct LennardJonesKind {
  bool switched = false;
  bool typed = false;  // by a table of pairs of types
};

/// How Lennard-Jones goes to zero at the cutoff.
template <class Real>
struct SwitchConstants {
  Switching kind;
  Real start, scale;  // r where switching starts, 1 / (cutoff - start)
  /// The numbers of a switched force of r^-6 and of r^-12. They are the factor beyond the start, 1
  /// / cutoff^3 or ^6, and the shift of the energy before the start.
  struct Power {
    Real factor, end, shift;
  } six, twelve;
};

/// The length of a row of the table of pairs, in whole vectors of any target.
constexpr int pair_row(int types) {
  return round_up(types, 16);
}

/// Constants of a job, in the kernel's scaled lengths.
template <class Real>
struct PairConstants {
  Real charge_factor;           // factor for the home charge, so that forces are in hartree/bohr
  Real epsilon_factor;          // factor for the home root_epsilon, likewise
  double coulomb_energy;        // from the kernel's Coulomb sum to hartree
  double lennard_jones_energy;  // from the kernel's Lennard-Jones sum to hartree
  Real reaction_field_k, reaction_field_c;
  SwitchConstants<Real> switching;
  int types;  // of the table; 0: atoms mix by Lorentz and Berthelot
  /// [types][2][pair_row(types)]: rows of sigma^2, and of 4 epsilon times epsilon_factor.
  const Real* pairs;
  /// Minus the smooth parts: [terms][pieces]. For a reaction field its single constant.
  std::array<Real, ewald_numbers_max> force_fit, energy_fit;
};

/// The functions of one SIMD target for one kind of forces, and the groups of their lists.
template <class Real>
struct PairFunctions {
  void (*forces)(const PairConstants<Real>&, const PairList&, Real* data);
  /// sums: Coulomb, Lennard-Jones.
  void (*energies)(const PairConstants<Real>&, const PairList&, Real* data, double* sums);
  int group;
};

/// The Ewald fits that the kernels of this machine take.
struct EwaldChoices {
  int pieces;
  std::span<const int> terms;  // ascending
};
template <class Real>
EwaldChoices ewald_choices(Bits bits);

/// terms: number of terms of the Ewald fit, one of the choices; 0: reaction field.
template <class Real>
PairFunctions<Real> choose_pair_functions(int terms, LennardJonesKind kind, Bits bits);

template <class Real>
class PairKernel {
 public:
  /// Throws InputError if the Ewald coefficient times the cutoff is too large for the fits.
  explicit PairKernel(const PairSettings& settings, const LennardJonesTypes& types = {});
  /// Computes hold pointers into it.
  PairKernel(const PairKernel&) = delete;
  PairKernel& operator=(const PairKernel&) = delete;

  double length_scale() const noexcept { return length_scale_; }
  /// Quads per SIMD vector, or with portable bits per longest one; lists for this kernel must be
  /// grouped by this number.
  int group() const noexcept { return functions_.group; }
  /// Terms of the Ewald fit; 0 without Ewald.
  int ewald_terms() const noexcept { return terms_; }
  /// Whether a table gives the Lennard-Jones parameters of pairs of types.
  bool typed() const noexcept { return constants_.types > 0; }

  void forces(const PairList& list, Real* data) const noexcept {
    functions_.forces(constants_, list, data);
  }
  /// Also returns the energies (not the virial, which follows from the forces and positions).
  PairEnergies energies(const PairList& list, Real* data) const noexcept;

 private:
  void set_switching(const PairSettings& settings);
  void set_types(const LennardJonesTypes& types);

  PairConstants<Real> constants_{};
  AlignedVector<Real> pairs_;
  double length_scale_;
  int terms_ = 0;
  PairFunctions<Real> functions_;
};

}  // namespace fg
