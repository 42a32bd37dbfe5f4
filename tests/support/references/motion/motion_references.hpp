// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of kernels of motion: one water, one star, one slot at a time. Each has the name of
// what it is compared with, and `reference` behind it.
#pragma once

#include "motion/constraints/settle.hpp"
#include "motion/constraints/shake.hpp"
#include "motion/updates.hpp"

namespace fg {

int settle_positions_reference(const SettleTriangle& triangle, const WaterSlots& waters,
                               const ConstAxes& previous, const Axes& position,
                               const Axes& velocity, double inverse_timestep) noexcept;
void settle_velocities_reference(const SettleTriangle& triangle, const WaterSlots& waters,
                                 const ConstAxes& position, const Axes& velocity) noexcept;

int shake_stars_reference(int leaves, const StarList& list, double tolerance,
                          const ConstAxes& previous, const Axes& position, const Axes& velocity,
                          double inverse_timestep) noexcept;
void rattle_stars_reference(int leaves, const StarList& list, const ConstAxes& position,
                            const Axes& velocity) noexcept;

void drift_with_noise_reference(MovingAtoms& atoms, double time, double keep,
                                double spread) noexcept;

}  // namespace fg
