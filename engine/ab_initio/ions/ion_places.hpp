// SPDX-License-Identifier: BSD-3-Clause
//
// The ions as the leading object knows them: their cell, where they are, and their energy among
// themselves. It alone decides where they go; all other objects have positions and cell from its
// orders. The indices of waves stay when the cell changes.
// Units: hartree, bohr.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "ab_initio/ions/ion_tables.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/orders.hpp"
#include "base/vec3.hpp"
#include "electrons/ions/ewald_ions.hpp"

namespace fg::ab_initio {

/// Tells all objects where the ions are, with the order of this number to the density.
using PlaceIons = std::function<void(std::int64_t density_order, Ref<const PlaceOrder> order,
                                     bool in_another_cell)>;

class IonPlaces {
 public:
  /// Begins in the cell and at the positions of the job; nobody else has been told. Job and tables
  /// must outlive it. Throws as EwaldIons and isolated_ions do.
  IonPlaces(const Job& job, const IonTables& tables, PlaceIons tell);

  /// Tells all objects, unless the ions are there already. The order to the density gets the number
  /// `density_order`. Returns whether that number has been used. Between two such orders there must
  /// have been an evaluation. Throws what the constructor throws. Throws NumericsError if a
  /// position is not finite. Throws InputError if the cell has become so small that a wave is
  /// beyond the tables of the job.
  bool place(std::span<const Vec3> positions, const electrons::Lattice& cell,
             std::int64_t density_order);

  const std::vector<Vec3>& positions() const noexcept { return positions_; }
  const electrons::Lattice& cell() const noexcept { return cell_; }
  const electrons::IonEnergy& energy() const noexcept { return energy_; }
  /// The factor by which a wave may be longer than in the cell of the waves. First it is that of
  /// now, then the largest one for the tables of the job.
  double stretch() const noexcept { return stretch_in(cell_); }
  double most_stretch() const noexcept;
  /// How often the ions have been placed.
  std::int64_t placements() const noexcept { return placements_; }

 private:
  void make_ewald_sum();
  void check_cell(const electrons::Lattice& cell) const;
  double stretch_in(const electrons::Lattice& cell) const noexcept;
  electrons::IonEnergy energy_at(std::span<const Vec3> positions) const;

  const Job* job_;
  const IonTables* tables_;
  PlaceIons tell_;
  std::optional<electrons::EwaldIons> ewald_;  // none: a molecule without images
  std::vector<double> charges_;
  electrons::Lattice cell_;
  std::vector<Vec3> positions_;
  electrons::IonEnergy energy_;
  std::int64_t placements_ = 0;
};

}  // namespace fg::ab_initio
