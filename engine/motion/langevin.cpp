// SPDX-License-Identifier: BSD-3-Clause
#include "motion/langevin.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/philox.hpp"
#include "motion/kinetic.hpp"
#include "motion/updates.hpp"

namespace fg {

double bath_temperature(const LangevinParameters& p, std::int64_t step) noexcept {
  if (p.ramp_steps == 0) return p.temperature;
  if (step >= p.ramp_steps) return p.final_temperature;
  const double share = static_cast<double>(step) / static_cast<double>(p.ramp_steps);
  return p.temperature + share * (p.final_temperature - p.temperature);
}

ConstraintStatus langevin_middle_step(MovingAtoms& atoms, const PatchConstraints& constraints,
                                      const LangevinParameters& p, std::int64_t step,
                                      double& heat) noexcept {
  kick(atoms, p.timestep);
  const ConstraintStatus kicked = constraints.apply_to_velocities(atoms);
  normal_triples({p.seed, static_cast<std::uint64_t>(step), RandomPurpose::langevin}, atoms.ids(),
                 atoms.noise());
  remember_positions(atoms);
  // The Ornstein-Uhlenbeck process over one step, exactly: 1 - keep^2 without cancellation.
  const double keep = elementary::exp(-p.friction * p.timestep);
  const double warmth = bath_temperature(p, step);
  const double spread = std::sqrt(-elementary::expm1(-2.0 * p.friction * p.timestep) * warmth);
  const double before = kinetic_energy(atoms);
  drift_with_noise(atoms, p.timestep, keep, spread);
  const ConstraintStatus drifted = constraints.apply_to_positions(atoms, 1.0 / p.timestep);
  const ConstraintStatus turned = constraints.apply_to_velocities(atoms);
  heat += kinetic_energy(atoms) - before;
  if (!kicked.ok()) return kicked;
  return drifted.ok() ? turned : drifted;
}

namespace {

/// The kinetic energy after `change` and the removal of what constraints forbid; velocities are put
/// back.
template <class Change>
double kinetic_energy_after(MovingAtoms& atoms, const PatchConstraints& constraints,
                            const Change& change) noexcept {
  const Axes velocity = atoms.velocity(), kept = atoms.previous();
  for (int axis = 0; axis < 3; ++axis) std::copy_n(velocity[axis], atoms.slots(), kept[axis]);
  change();
  // A failure here is corrected, or reported, by the next kick.
  static_cast<void>(constraints.apply_to_velocities(atoms));
  const double energy = kinetic_energy(atoms);
  for (int axis = 0; axis < 3; ++axis) std::copy_n(kept[axis], atoms.slots(), velocity[axis]);
  return energy;
}

}  // namespace

double langevin_kinetic_energy(MovingAtoms& atoms, const PatchConstraints& constraints) noexcept {
  return kinetic_energy_after(atoms, constraints, [] {});
}

double kinetic_energy_after_half_kick(MovingAtoms& atoms, const PatchConstraints& constraints,
                                      double timestep) noexcept {
  return kinetic_energy_after(atoms, constraints, [&] { kick(atoms, 0.5 * timestep); });
}

}  // namespace fg
