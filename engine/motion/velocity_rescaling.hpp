// SPDX-License-Identifier: BSD-3-Clause
//
// Stochastic velocity rescaling: all velocities are multiplied by one factor, drawn so that the
// kinetic energy has the canonical distribution.
// Source: Bussi, Donadio, Parrinello, J. Chem. Phys. 126, 014101 (2007), doi:10.1063/1.2408420.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>

namespace fg {

struct VelocityRescaling {
  double temperature = 0;    // k_B T
  double time_constant = 0;  // of the kinetic energy; 0: no thermostat
  double interval = 0;       // between two scalings
  int degrees_of_freedom = 0;
  std::uint64_t seed = 0;
};

/// The factor for the velocities at `step`, for this kinetic energy; 1 without kinetic energy.
double velocity_factor(const VelocityRescaling& thermostat, double kinetic_energy,
                       std::int64_t step) noexcept;

}  // namespace fg
