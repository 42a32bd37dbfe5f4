// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of spherical functions of the ions by splines: structure factors from a grid. For the ions
// of each kind, with d of spline_phase.hpp and W of ion_splines.hpp,
//   S(G) = d(G) sum_n s(n) exp(-2 pi i G . n / N),   s(n) = sum_I W(n; R_I),
//   theta(n) = sum_G f_I(G) d(G) p(G) exp(2 pi i G . n / N),
//   F_I = -sum_n grad W(n; R_I) theta(n).
// A sum over ions would take as many operations as there are waves times ions. The energy is that
// of ion_field.hpp, and its derivatives are exact. Two kinds share a transform. Units: bohr; f_I
// has those of f(r) times bohr^3. Source: Essmann et al., J. Chem. Phys. 103, 8577 (1995); Lee,
// Tuckerman and Martyna, ChemPhysChem 6, 1827 (2005).
#pragma once

#include <complex>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/virial.hpp"
#include "electrons/ions/ion_field.hpp"
#include "electrons/splines/ion_splines.hpp"
#include "fft/sphere/rank_sphere.hpp"

namespace fg::electrons {

/// The arithmetic of a share of the waves and a share of the points, without transforms.
class SplineFieldShare {
 public:
  using Number = std::complex<double>;
  using Waves = std::span<const Number>;

  /// Kinds as for IonField; `used` are those that have a function, the same in all shares. `box`
  /// has whole lines along x; the waves must outlive it. Throws as IonField, euler_factors and
  /// IonSplines do.
  SplineFieldShare(const PlaneWaves& waves, std::vector<RadialWaves> kinds, std::vector<int> used,
                   std::span<const int> kind_of_ion, const fft::Grid& grid, int order,
                   const fft::GridBox& box);

  /// Two kinds each, of those that are used; the second may be none.
  std::size_t pairs() const noexcept { return (used_.size() + 1) / 2; }
  void place(std::span<const Vec3> positions);

  /// Writes s of the kinds of a pair to the points of the box.
  void scatter(std::size_t pair, std::span<Number> points) const;
  /// Adds what follows from the transforms of s [2][waves] to f(G) [waves].
  void add_field(std::size_t pair, Waves transforms, std::span<Number> field) const;
  /// Writes f_I d p of the kinds of a pair [2][waves].
  void write_partner(std::size_t pair, Waves partner, std::span<Number> out) const;
  /// Adds the part of the forces of the ions of a pair, from theta at the points of the box.
  void add_forces(std::size_t pair, Waves points, std::span<Vec3> forces) const;
  /// Adds the part of the virial, from the transforms of s and p; as IonField::add_virial.
  void add_virial(std::size_t pair, Waves transforms, Waves partner, Virial& virial) const;

 private:
  /// The kinds of a pair: which of the two fields, which kind.
  template <class Use>
  void for_each_kind(std::size_t pair, const Use& use) const;

  const PlaneWaves* waves_;
  std::vector<RadialWaves> kinds_;
  std::vector<int> kind_of_ion_, used_;
  std::vector<double> factors_;  // d [waves]
  IonSplines ions_;
};

/// All waves and all points at once; used as IonField is.
class SplineField {
 public:
  using Number = std::complex<double>;
  using Waves = std::span<const Number>;

  /// The plan is of one rank, on the grid of the splines. The waves are those of the plan in its
  /// order, and outlive this object.
  SplineField(const std::shared_ptr<const fft::SpherePlan>& plan, const PlaneWaves& waves,
              const std::vector<RadialWaves>& kinds, std::span<const int> kind_of_ion, int order);

  /// Writes f(G) [waves].
  void write(std::span<const Vec3> positions, std::span<Number> field);
  void add_forces(std::span<const Vec3> positions, Waves partner, std::span<Vec3> forces);
  void add_virial(std::span<const Vec3> positions, Waves partner, Virial& virial);

 private:
  SplineFieldShare share_;
  fft::RankSphere<double> sphere_;
  AlignedVector<Number> fields_, points_;
};

}  // namespace fg::electrons
