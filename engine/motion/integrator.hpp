// SPDX-License-Identifier: BSD-3-Clause
//
// How the atoms of one patch get from one step to the next. What a run has to know of its
// integrator, the integrator says. Units: Hartree atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"

namespace fg {

enum class IntegratorKind { verlet, langevin };

/// Integrators by their names in a job.
inline constexpr std::array<std::pair<std::string_view, IntegratorKind>, 2> integrator_names{
    {{"verlet", IntegratorKind::verlet}, {"langevin", IntegratorKind::langevin}}};

/// A temperature is measured from these velocities. In a vibration of frequency w, the mean kinetic
/// energy half a step from the positions is the mean potential energy. The mean at full steps is
/// smaller by the factor 1 - (w dt / 2)^2. So a thermostat that sees half steps samples positions
/// rightly. It takes the mean of the half step before and the half step after.
enum class Thermometer { full_steps, half_steps };

struct IntegratorSettings {
  IntegratorKind kind = IntegratorKind::verlet;
  double timestep = 0;
  double temperature = 0;        // k_B T
  double final_temperature = 0;  // of a ramp that ends after ramp_steps
  std::int64_t ramp_steps = 0;   // 0: the temperature is constant
  double friction = 0;           // [1/au time]
  std::uint64_t seed = 0;
  Thermometer thermometer = Thermometer::full_steps;  // of velocity Verlet
};

/// Whether the velocities belong to the time of the positions or are half a step behind them.
enum class VelocityStage { full, half };

class Integrator {
 public:
  virtual ~Integrator() = default;

  /// Finishes a step, with the forces at the present positions.
  virtual ConstraintStatus complete(MovingAtoms& atoms,
                                    const PatchConstraints& constraints) const noexcept = 0;

  /// Goes to the positions of the next step; adds the energy that a heat bath has given to `heat`.
  virtual ConstraintStatus advance(MovingAtoms& atoms, const PatchConstraints& constraints,
                                   std::int64_t step, double& heat) const noexcept = 0;

  /// 1/2 sum m v^2 of the present velocities; after `complete` or `advance`. Overwrites previous().
  virtual double kinetic_energy(MovingAtoms& atoms,
                                const PatchConstraints& constraints) const noexcept = 0;

  /// The kinetic energy of which the temperature is made; with the forces at the present positions,
  /// after `complete`. Overwrites previous().
  virtual double measured_kinetic_energy(MovingAtoms& atoms,
                                         const PatchConstraints& constraints) const noexcept = 0;

  /// The kinetic energy at the time of the positions, which makes the sharpest total energy. Needs
  /// the forces at the present positions; call it after `complete`. Overwrites previous().
  virtual double sharpest_kinetic_energy(MovingAtoms& atoms,
                                         const PatchConstraints& constraints) const noexcept = 0;

  /// The stage of the velocities between `advance` and `complete`.
  virtual VelocityStage between_steps() const noexcept = 0;

  /// The time of the positions less that of the velocities after `complete` [au time].
  virtual double lag() const noexcept = 0;

  /// For the log: "velocity Verlet (constant energy)".
  virtual std::string description() const = 0;
};

std::unique_ptr<const Integrator> make_integrator(const IntegratorSettings& settings);

}  // namespace fg
