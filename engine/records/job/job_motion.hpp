// SPDX-License-Identifier: BSD-3-Clause
//
// What a job says about the motion of its atoms, as the parts of motion/ take it.
// Units: Hartree atomic units.
#pragma once

#include <numeric>

#include "motion/monte_carlo_barostat.hpp"
#include "motion/velocity_rescaling.hpp"
#include "records/job/job.hpp"

namespace fg {

inline IntegratorSettings integrator_settings(const JobDynamics& d) noexcept {
  return {.kind = d.integrator,
          .timestep = d.timestep,
          .temperature = d.temperature,
          .final_temperature = d.final_temperature,
          .ramp_steps = d.ramp_steps,
          .friction = d.friction,
          .seed = d.seed,
          .thermometer = d.thermostat_time > 0 ? Thermometer::half_steps : Thermometer::full_steps};
}

inline VelocityRescaling velocity_rescaling(const Job& job, int degrees_of_freedom) noexcept {
  const JobDynamics& d = job.dynamics;
  return {.temperature = d.temperature,
          .time_constant = d.thermostat_time,
          .interval = job.settings.rebuild_interval * d.timestep,
          .degrees_of_freedom = degrees_of_freedom,
          .seed = d.seed};
}

inline MonteCarloBarostat monte_carlo_barostat(const Job& job, int centres) noexcept {
  const JobDynamics& d = job.dynamics;
  return {.pressure = d.pressure,
          .temperature = d.temperature,
          .centres = centres,
          .interval = d.barostat_interval,
          .seed = d.seed};
}

inline BarostatSettings barostat_settings(const Job& job) noexcept {
  const JobDynamics& d = job.dynamics;
  return {.kind = d.barostat,
          .coupling = d.coupling,
          .pressure = d.pressure,
          .temperature = d.temperature,
          .compressibility = d.compressibility,
          .time_constant = d.barostat_time,
          .period = d.piston_period,
          .interval = job.settings.rebuild_interval * d.timestep,
          .interval_steps = job.settings.rebuild_interval,
          .spacing_steps = std::lcm(job.settings.prune_interval, d.impulse_interval()),
          .volume = job.box.volume(),
          .seed = d.seed};
}

}  // namespace fg
