// SPDX-License-Identifier: BSD-3-Clause
//
// Floating-point operations for the ions, as of division/costs.hpp: local potential, core and
// projectors at new positions, the forces on the ions, and what a moving cell needs. What splines
// do instead is in spline_costs.hpp.
#pragma once

#include <algorithm>
#include <cstddef>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/job/job.hpp"
#include "electrons/nonlocal/projector_coupling.hpp"
#include "fft/partition.hpp"

namespace fg::ab_initio {

class IonCosts {
 public:
  IonCosts() = default;
  IonCosts(const Job& job, const IonTables& tables)
      : coupling_(tables.projectors(), job.species_of) {
    for (const auto& kinds : {tables.local_kinds(), tables.core_kinds()}) {
      kinds_ += static_cast<double>(kinds.size());
      fields_ += static_cast<double>(std::ranges::count_if(
          job.species_of, [&](int kind) { return std::ranges::count(kinds, kind) > 0; }));
    }
    for (const electrons::ProjectorKind& kind : tables.projectors())
      for (const electrons::RadialTable& table : kind.tables) {
        tables_ += 1;
        rows_of_kinds_ += 2 * table.l() + 1;
      }
  }

  /// Local potential and core on so many waves of the density; the forces by them.
  double fields(std::size_t waves) const noexcept {
    return operations::ion_field * fields_ * static_cast<double>(waves);
  }
  double forces_of_fields(std::size_t waves) const noexcept {
    return operations::ion_force * fields_ * static_cast<double>(waves);
  }

  /// The projectors of some ions on so many waves of orbitals.
  double projectors(fft::Range ions, std::size_t waves) const noexcept {
    const std::size_t rows = coupling_.first(static_cast<std::size_t>(ions.end)) -
                             coupling_.first(static_cast<std::size_t>(ions.begin));
    return (operations::phase * ions.size() + operations::projector * static_cast<double>(rows)) *
           static_cast<double>(waves);
  }
  /// The forces by the projectors of all ions and so many orbitals: products of matrices, all else.
  double products_of_forces(int orbitals, std::size_t waves) const noexcept {
    return block_product(static_cast<int>(coupling_.rows()), orbitals, waves);
  }
  double sums_of_forces(std::size_t waves) const noexcept {
    return (operations::row_force * static_cast<double>(coupling_.rows()) +
            operations::projector_force * static_cast<double>(coupling_.ions())) *
           static_cast<double>(waves);
  }

  // In a new cell, so many waves of the density, or of orbitals.
  double fields_in_new_cell(std::size_t waves) const noexcept {
    return operations::radial * kinds_ * static_cast<double>(waves);
  }
  double projectors_in_new_cell(std::size_t waves) const noexcept {
    return (operations::radial * tables_ + operations::row_in_new_cell * rows_of_kinds_) *
           static_cast<double>(waves);
  }
  // The virial: of local potential and core; of all else that the density has; of the projectors of
  // all ions, besides `products_of_forces`; of the projectors of their kinds, which is all by
  // splines.
  double virial_of_fields(std::size_t waves) const noexcept {
    return (operations::ion_field * fields_ + operations::radial * kinds_) *
           static_cast<double>(waves);
  }
  double virial_of_density(std::size_t waves) const noexcept {
    return operations::wave_virial * static_cast<double>(waves);
  }
  double virial_of_projectors(std::size_t waves) const noexcept {
    return (operations::phase * static_cast<double>(coupling_.ions()) +
            operations::row_force * static_cast<double>(coupling_.rows())) *
               static_cast<double>(waves) +
           virial_of_kinds(waves);
  }
  double virial_of_kinds(std::size_t waves) const noexcept {
    return (operations::radial * tables_ + operations::row_virial * rows_of_kinds_) *
           static_cast<double>(waves);
  }

 private:
  electrons::ProjectorCoupling coupling_{{}, {}};
  double fields_ = 0;  // of all ions: local potentials, and cores of those that have one
  double kinds_ = 0;   // local potentials and cores that differ
  double tables_ = 0, rows_of_kinds_ = 0;  // of the projectors of all kinds
};

}  // namespace fg::ab_initio
