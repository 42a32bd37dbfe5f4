// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/ions/ion_places.hpp"

#include <algorithm>
#include <utility>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/ions/isolated_ions.hpp"
#include "runtime/profile.hpp"
#include "runtime/simulated/simulated_time.hpp"

namespace fg::ab_initio {

namespace {

const Phase ewald_phase{"ions: Ewald sum"};

}  // namespace

IonPlaces::IonPlaces(const Job& job, const IonTables& tables, PlaceIons tell)
    : job_(&job),
      tables_(&tables),
      tell_(std::move(tell)),
      charges_(job.charges()),
      cell_(job.cell),
      positions_(job.positions) {
  make_ewald_sum();
  energy_ = energy_at(positions_);
}

void IonPlaces::make_ewald_sum() {
  if (!job_->isolated) ewald_.emplace(cell_, charges_);
}

void IonPlaces::check_cell(const electrons::Lattice& cell) const {
  electrons::check_lattice(cell);
  const double stretch = stretch_in(cell), limit = most_stretch();
  if (stretch > limit)
    throw InputError({.what = "the cell is too small for the tables of its pseudopotentials",
                      .where = "cell",
                      .value = "waves " + shown(stretch, 4) + " times as long as at the start",
                      .limit = shown(limit, 4) + " times",
                      .hint = "make a job for this cell"});
}

double IonPlaces::stretch_in(const electrons::Lattice& cell) const noexcept {
  return electrons::largest_wave_stretch(job_->wave_cell(), cell);
}

double IonPlaces::most_stretch() const noexcept {
  return tables_->longest() / (2 * job_->largest_wave());
}

electrons::IonEnergy IonPlaces::energy_at(std::span<const Vec3> positions) const {
  if (ewald_) charge(ewald_phase, Work::ions, ewald_->operations());
  const PhaseTimer timer(ewald_phase);
  return ewald_ ? ewald_->evaluate(positions)
                : electrons::isolated_ions(cell_, charges_, positions);
}

bool IonPlaces::place(std::span<const Vec3> positions, const electrons::Lattice& cell,
                      std::int64_t density_order) {
  FG_CHECK(positions.size() == positions_.size());
  const bool changed = !(cell == cell_);
  const bool moved = changed || !std::equal(positions.begin(), positions.end(), positions_.begin());
  if (placements_ > 0 && !moved) return false;
  if (moved) positions_.assign(positions.begin(), positions.end());
  if (changed) {
    check_cell(cell);
    cell_ = cell;
  }
  ++placements_;
  const auto order = make_message<PlaceOrder>(positions_.size() * sizeof(Vec3));
  order->placement = placements_;
  order->cell = cell_;
  std::copy(positions_.begin(), positions_.end(), order->trailing<Vec3>());
  tell_(density_order, order, changed);
  // While the others work.
  if (changed) make_ewald_sum();
  if (moved) energy_ = energy_at(positions_);
  return true;
}

}  // namespace fg::ab_initio
