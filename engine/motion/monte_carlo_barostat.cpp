// SPDX-License-Identifier: BSD-3-Clause
#include "motion/monte_carlo_barostat.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"
#include "base/philox.hpp"
#include "base/units.hpp"

namespace fg {

namespace {

// These are those of OpenMM.
constexpr double first_share = 0.01;  // of the volume
constexpr double most_share = 0.3;
constexpr double change_of_size = 1.1;
constexpr int trials_between_changes = 10;

/// Uniform in 0 to 1; `which` of the two that a trial needs.
double uniform(std::uint64_t seed, std::int64_t step, std::int32_t which) noexcept {
  return uniform_reference({seed, static_cast<std::uint64_t>(step), RandomPurpose::barostat},
                           which);
}

}  // namespace

double MonteCarloBarostat::trial_volume(BathState& state, std::int64_t step) const noexcept {
  const double volume = state.box.volume();
  if (state.trials.size == 0) state.trials.size = first_share * volume;
  return volume + state.trials.size * (2 * uniform(seed, step, 0) - 1);
}

bool MonteCarloBarostat::accept(BathState& state, double energy_change, double after,
                                std::int64_t step) const noexcept {
  const double before = state.box.volume();
  const double work = energy_change + pressure * (after - before) -
                      centres * temperature * elementary::log(after / before);
  const bool accepted = uniform(seed, step, 1) < elementary::exp(-work / temperature);
  VolumeTrials& trials = state.trials;
  ++trials.made;
  trials.accepted += accepted ? 1 : 0;
  if (trials.made < trials_between_changes) return accepted;
  const double now = accepted ? after : before;
  if (4 * trials.accepted < trials.made)
    trials = {.size = trials.size / change_of_size};
  else if (4 * trials.accepted > 3 * trials.made)
    trials = {.size = std::min(trials.size * change_of_size, most_share * now)};
  return accepted;
}

std::string MonteCarloBarostat::description() const {
  return "Monte Carlo, isotropic, target " + std::to_string(pressure * units::pressure_in_bar) +
         " bar, a trial every " + std::to_string(interval) + " steps";
}

}  // namespace fg
