// SPDX-License-Identifier: BSD-3-Clause
//
// A part of the density of orbitals in a fixed potential. It only finds the energy of the density
// in the potential, and sends the same potential to the orbitals each time.
#include <algorithm>
#include <utility>

#include "ab_initio/density/setups.hpp"
#include "ab_initio/orders/force_numbers.hpp"

namespace fg::ab_initio {

namespace {

class FixedPotentialDensity final : public Density {
 public:
  FixedPotentialDensity(std::shared_ptr<const DensitySetup> setup, PotentialOfPart potential)
      : Density(std::move(setup)), potential_(std::move(potential)) {}

  /// Nobody needs them.
  Waves waves() const override { return Waves(waves_); }
  PotentialOfPart potential() const override { return potential_; }

 private:
  /// Finds the potential at the points, in the first run.
  Task begin() override {
    if (!points_.empty()) co_return;
    points_.assign(potential_.size(), Points(size_));
    DensityFields fields;
    for (std::size_t s = 0; s < points_.size(); ++s)
      fields.add(points_[s].data(), potential_[s].data());
    co_await to_points(fields);
  }

  Task place_ions(Ref<const PlaceOrder>) override { co_return; }

  Task find_potential(bool) override {
    const double element = volume() / setup_->basis->grid_points();
    DensitySums sums;
    for (int spin = 0; spin < setup_->basis->spins(); ++spin) {
      const auto s = static_cast<std::size_t>(spin);
      double energy = 0;
      for (std::size_t i = 0; i < size_; ++i) energy += points_[s][i] * density_[s][i];
      sums.local += energy * element;
      auto message = new_potential();
      std::copy(points_[s].begin(), points_[s].end(), message->trailing<double>());
      send_potential(spin, std::move(message));
    }
    setup_->density_energies.contribute(*this, number_, sums.values());
    co_return;
  }

  /// Nobody asks for forces; those of the potential are not known here.
  Task find_forces(Stress) override {
    const std::vector<Vec3> none(setup_->job->positions.size());
    setup_->density_forces.contribute(*this, number_, force_numbers(none, {}));
    co_return;
  }

  PotentialOfPart potential_;
  std::vector<Points> points_;  // the potential of each spin
};

}  // namespace

std::unique_ptr<Density> make_fixed_potential_density(std::shared_ptr<const DensitySetup> setup,
                                                      const FixedPotential& fixed, int part) {
  return std::make_unique<FixedPotentialDensity>(std::move(setup),
                                                 fixed.parts[static_cast<std::size_t>(part)]);
}

}  // namespace fg::ab_initio
