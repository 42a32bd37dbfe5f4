// SPDX-License-Identifier: BSD-3-Clause
//
// The part of Density for orbitals in a fixed potential: all it does with a density is to find its
// energy in the potential, which it sends to the orbitals again and again.
#include <algorithm>

#include "ab_initio/density/density.hpp"
#include "ab_initio/density/setups.hpp"
#include "ab_initio/division/more_orbitals.hpp"
#include "ab_initio/orders/force_numbers.hpp"

namespace fg::ab_initio {

/// Finds the potential at the points, in the first run.
Task Density::find_fixed_points() {
  const PotentialOfPart& waves = setup_->fixed->parts[static_cast<std::size_t>(part())];
  const std::int64_t number = transforms_;
  fixed_points_.resize(waves.size());
  for (Points& points : fixed_points_) points.resize(size_);
  to_points(waves.front(), waves.size() == 2 ? waves.back() : Waves());
  co_await when<&Density::transformed>(number);
  take_points(*result(number), fixed_points_.front().data(),
              waves.size() == 2 ? fixed_points_.back().data() : nullptr);
}

void Density::use_fixed_potential() {
  const double element = volume() / setup_->basis->grid_points();
  const Basis& basis = *setup_->basis;
  sums_ = {};
  for (int spin = 0; spin < basis.spins(); ++spin) {
    const auto s = static_cast<std::size_t>(spin);
    const Points& density = has_spin() ? spins_[s].density : density_;
    const Points& potential = fixed_points_[s];
    double energy = 0;
    for (std::size_t i = 0; i < size_; ++i) energy += potential[i] * density[i];
    sums_.local += energy * element;
    auto message = make_message<PotentialMessage>(size_ * sizeof(double));
    message->part = part();
    std::copy(potential.begin(), potential.end(), message->trailing<double>());
    setup_
        ->points_of[static_cast<std::size_t>(spin * basis.parts() +
                                             part() / basis.density_parts_in_part())]
        .multicast<&OrbitalPoints::potential>(std::move(message));
  }
  setup_->density_energies.contribute(*this, number_, sums_.values());
}

/// Nobody asks for forces; those of the potential are not known here.
void Density::contribute_no_forces() {
  forces_.assign(setup_->job->positions.size(), {});
  setup_->density_forces.contribute(*this, number_, force_numbers(forces_, {}));
}

PotentialOfPart Density::potential() const {
  if (!has_spin()) return {potential_};
  return {spins_[0].potential, spins_[1].potential};
}

}  // namespace fg::ab_initio
