// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal energy of orbitals by splines, for all waves of a half sphere at once. It is used as
// Projectors is. Blocks of orbitals are [orbitals][waves].
// Units: hartree, bohr.
// Source: spline_waves.hpp.
#pragma once

#include <complex>
#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/virial.hpp"
#include "electrons/nonlocal/projectors.hpp"
#include "electrons/splines/ion_splines.hpp"
#include "electrons/splines/spline_waves.hpp"
#include "fft/sphere/rank_sphere.hpp"

namespace fg::electrons {

class SplineProjectors {
 public:
  using Block = Projectors::Block;

  /// The plan is of one rank, on the grid of the splines. The waves are those of the plan in its
  /// order, and outlive this object. Throws as SplineWaves and ProjectorCoupling do, InternalError
  /// for other waves.
  SplineProjectors(const std::shared_ptr<const fft::SpherePlan>& plan, const PlaneWaves& waves,
                   const std::vector<ProjectorKind>& kinds, std::span<const int> kind_of_ion,
                   int order);

  const ProjectorCoupling& coupling() const noexcept { return coupling_; }
  std::size_t rows() const noexcept { return coupling_.rows(); }
  void place(std::span<const Vec3> positions);

  /// Writes Z [rows][orbitals].
  void project(Block block, std::size_t orbitals, std::span<double> z);
  /// Adds the nonlocal part of H psi to `applied` [orbitals][waves].
  void apply(std::span<const double> dz, std::size_t orbitals,
             std::span<std::complex<double>> applied);
  /// Adds these orbitals' part of the forces [ions].
  void add_forces(std::span<const double> dz, Block block, std::size_t orbitals, double occupation,
                  std::span<Vec3> forces);
  /// Adds these orbitals' part of minus the derivative of the energy by the strain.
  void add_virial(std::span<const double> dz, Block block, std::size_t orbitals, double occupation,
                  Virial& virial);

 private:
  void to_points(const SplineChannel& channel, Block block, std::size_t first,
                 std::size_t orbitals);
  /// Scatters D Z of two orbitals and transforms them to waves.
  void to_waves(const SplineChannel& channel, std::span<const double> dz, std::size_t first,
                std::size_t orbitals);
  template <class Use>
  void for_each_ion(const SplineChannel& channel, const Use& use) const;
  std::span<std::complex<double>> field(std::size_t which) noexcept {
    return std::span(fields_).subspan(which * waves_.size(), waves_.size());
  }

  ProjectorCoupling coupling_;
  std::vector<int> kind_of_ion_;
  std::vector<SplineChannel> channels_;
  SplineWaves waves_;
  IonSplines ions_;
  fft::RankSphere<double> sphere_;
  AlignedVector<std::complex<double>> fields_;  // two orbitals [2][waves]
  AlignedVector<std::complex<double>> points_;
};

}  // namespace fg::electrons
