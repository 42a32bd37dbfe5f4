// SPDX-License-Identifier: BSD-3-Clause
//
// Langevin dynamics, "middle" scheme: kick, half drift, friction and noise, half drift. Velocities
// are half a kick behind positions, and their kinetic energy samples the temperature.
// Source: Zhang, Liu, Yan, Tuckerman, Liu, J. Phys. Chem. A 123, 6056 (2019),
// doi:10.1021/acs.jpca.9b02771; with constraints as in OpenMM's LangevinMiddleIntegrator.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>

#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/constraints.hpp"

namespace fg {

struct LangevinParameters {
  double timestep = 0;
  double temperature = 0;  // k_B T [hartree]
  double friction = 0;     // [1/au time]
  std::uint64_t seed = 0;
  double final_temperature = 0;  // after ramp_steps; without a ramp it has no meaning
  std::int64_t ramp_steps = 0;   // from the first step on; 0: the temperature is constant
};

/// The bath's k_B T at a step: on a ramp it changes linearly, and then stays.
double bath_temperature(const LangevinParameters& parameters, std::int64_t step) noexcept;

/// One step with the forces at the present positions. Its noise is a function of (seed, atom,
/// step). After the drift, half of the noise is across the constraints. It is taken away, as the
/// next kick would do anyway. Until then the system would seem too warm, by 2 % for rigid water at
/// 2 fs and 50/ps. `heat` grows by the energy that friction and noise have given, without the part
/// that is taken away.
ConstraintStatus langevin_middle_step(MovingAtoms& atoms, const PatchConstraints& constraints,
                                      const LangevinParameters& parameters, std::int64_t step,
                                      double& heat) noexcept;

/// 1/2 sum m v^2 of the velocity components that the constraints allow. A step leaves no others,
/// but the velocities of an input may have some. Velocities are not changed; previous() is
/// overwritten.
double langevin_kinetic_energy(MovingAtoms& atoms, const PatchConstraints& constraints) noexcept;

/// The same after half a kick (backwards, if the step is negative). Velocities of Langevin dynamics
/// are then at the time of the positions. Velocities are not changed; previous() is overwritten.
double kinetic_energy_after_half_kick(MovingAtoms& atoms, const PatchConstraints& constraints,
                                      double timestep) noexcept;

}  // namespace fg
