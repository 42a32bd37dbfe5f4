// SPDX-License-Identifier: BSD-3-Clause
//
// The tables of a job's pseudopotentials, ready to be evaluated on waves.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "electrons/ions/ion_field.hpp"
#include "electrons/ions/local_potential.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "electrons/orbitals/orbital_start.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::ab_initio {

class IonTables {
 public:
  IonTables() = default;
  explicit IonTables(const Job& job);

  /// The projectors by species.
  const std::vector<electrons::ProjectorKind>& projectors() const noexcept { return projectors_; }
  /// The sum of all ions' local potential at G = 0 [hartree bohr^3].
  double alpha() const noexcept { return alpha_; }
  bool has_core() const noexcept { return has_core_; }
  /// The longest wave of the density that may be asked for [1/bohr]. It is the lesser of two
  /// numbers. One is twice the |G| up to which the tables of orbitals reach. The other is the |G|
  /// up to which the tables of the density reach.
  double longest() const noexcept { return longest_; }
  const electrons::AtomicOrbitals& orbitals() const noexcept { return *orbitals_; }

  /// The fields of all ions on waves of the density. The local potential is that of a molecule
  /// without images if there is a screening [waves].
  electrons::IonField local(const electrons::PlaneWaves& waves,
                            std::span<const double> screening = {}) const;
  /// The functions by species, for splines; only the kinds that have one.
  std::vector<electrons::RadialWaves> local_waves(const electrons::PlaneWaves& waves,
                                                  std::span<const double> screening = {}) const;
  std::vector<electrons::RadialWaves> core_waves(const electrons::PlaneWaves& waves) const;
  std::vector<int> local_kinds() const;
  std::vector<int> core_kinds() const;
  electrons::IonField core(const electrons::PlaneWaves& waves) const;
  /// The density of free atoms; a Gaussian for those without a table. With spin these are electrons
  /// of one spin, 0 up and 1 down. An ion of charge Z that starts with the moment m has the share
  /// (1 + m/Z)/2 or (1 - m/Z)/2.
  electrons::IonField free_atoms(const electrons::PlaneWaves& waves, int spin) const;

 private:
  void find_longest();
  electrons::RadialWaves free_atom(const electrons::PlaneWaves& waves,
                                   const Species& species) const;

  const Job* job_ = nullptr;
  std::vector<electrons::ProjectorKind> projectors_;
  std::vector<electrons::LocalPotential> local_;
  std::shared_ptr<const electrons::AtomicOrbitals> orbitals_;
  double alpha_ = 0, longest_ = 0;
  bool has_core_ = false;
};

}  // namespace fg::ab_initio
