// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal energy of orbitals on one share of the waves, by products of matrices. With
//   b(p; G) = w V^(-1/2) i^l q(|G|) Y_lm(G) exp(i G . R),   w = 2, or 1 for G = 0,
// Z(p, s) = Re sum_G b(p; G) c(s; G), summed over the shares, gives
//   E = f sum Z D Z,   H psi(s; G) += sum_p (D Z)(p, s) b(p; G)* / w,
//   F_I = -2 f sum_p,s (D Z)(p, s) Re sum_G i G b(p; G) c(s; G).
// Complex numbers are pairs of doubles for the products. Blocks of orbitals are [orbitals][waves].
// The order of rows p is that of ProjectorCoupling. Units: hartree, bohr.
// Source: Kleinman and Bylander, Phys. Rev. Lett. 48, 1425 (1982); the strain: Nielsen and Martin,
// Phys. Rev. B 32, 3792 (1985).
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/virial.hpp"
#include "electrons/ions/ion_waves.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"

namespace fg::electrons {

class Projectors {
 public:
  using Block = std::span<const std::complex<double>>;

  /// Waves and kinds must outlive it. Throws as ProjectorCoupling does, and InputError if a wave is
  /// beyond a table. Its ions have no positions yet, and nothing may be asked of it.
  Projectors(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
             std::span<const int> kind_of_ion);
  Projectors(Projectors&&) = default;  // numbers stay where they are
  Projectors(const Projectors&) = delete;
  Projectors& operator=(const Projectors&) = delete;

  const ProjectorCoupling& coupling() const noexcept { return coupling_; }
  std::size_t rows() const noexcept { return coupling_.rows(); }

  /// Waves with the same indices in another cell, which must outlive it; then all ions have to be
  /// placed again.
  void change_waves(const PlaneWaves& waves);

  /// Makes b for these positions [ions].
  void place(std::span<const Vec3> positions);
  /// The same for the ions from `first` on that have these positions. Several threads may do this
  /// at the same time for different ions. Each has its own `work`, which keeps its memory for the
  /// next time.
  void place(std::size_t first, std::span<const Vec3> some,
             std::vector<std::complex<double>>& work);

  /// Writes this share's part of Z [rows][orbitals].
  void project(Block block, std::size_t orbitals, std::span<double> z) const;

  /// Adds the nonlocal part of H psi to `applied` [orbitals][waves]; `dz` is the whole D Z.
  void apply(std::span<const double> dz, std::size_t orbitals,
             std::span<std::complex<double>> applied) const;

  /// Adds this share's and these orbitals' part of the forces [ions].
  void add_forces(std::span<const double> dz, Block block, std::size_t orbitals, double occupation,
                  std::span<Vec3> forces) const;

  /// Adds this share's and these orbitals' part of minus the derivative of the energy by the strain
  /// [hartree]. Only sums over all shares have the symmetry of a virial. It is made of equal parts
  /// of both components ab and ba.
  void add_virial(std::span<const double> dz, Block block, std::size_t orbitals, double occupation,
                  Virial& virial) const;

 private:
  void write_directions();
  void check(std::span<const double> dz, std::size_t block, std::size_t orbitals) const;
  /// Calls use(ion, A, begin, waves) for some ions, one after the other. For each ion it goes
  /// through all pieces of at most `waves_at_once` waves in their order. A [rows of the ion][2
  /// waves] is the product of the ion's rows of D Z and the orbitals. Its waves begin with `begin`.
  template <class Use>
  void for_each_ion(std::span<const double> dz, Block block, std::size_t orbitals,
                    std::size_t waves_at_once, const Use& use) const;

  ProjectorCoupling coupling_;
  std::vector<int> kind_of_ion_;
  IonWaves ion_waves_;
  std::vector<Vec3> positions_;
  AlignedVector<double> b_;  // [rows][2 waves]: b*
  std::vector<const double*> b_rows_;
  std::vector<double> directions_;  // [3][waves]: G
};

}  // namespace fg::electrons
