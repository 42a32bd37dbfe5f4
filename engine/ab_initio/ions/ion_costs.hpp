// SPDX-License-Identifier: BSD-3-Clause
//
// Floating-point operations for the ions, as of division/costs.hpp: local potential, core and
// projectors at new positions, and the forces on the ions. Without splines.
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
    for (const auto& kinds : {tables.local_kinds(), tables.core_kinds()})
      fields_ += static_cast<double>(std::ranges::count_if(
          job.species_of, [&](int kind) { return std::ranges::count(kinds, kind) > 0; }));
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

 private:
  electrons::ProjectorCoupling coupling_{{}, {}};
  double fields_ = 0;  // of all ions: local potentials, and cores of those that have one
};

}  // namespace fg::ab_initio
