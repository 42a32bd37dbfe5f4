// SPDX-License-Identifier: BSD-3-Clause
//
// Monte Carlo barostat: every `interval` steps the volume takes a random step, and the centres of
// all molecules are scaled with it. For N molecules the step is accepted with probability
//   min(1, exp(-w / kT)),  w = dU + P dV - N kT ln(V'/V).
// So the volume has the distribution of constant pressure. Velocities stay. The size of the steps
// is adapted until a quarter to three quarters are accepted, as OpenMM does it. Source: Chow,
// Ferguson, Comput. Phys. Commun. 91, 283 (1995); Aqvist et al., Chem. Phys. Lett. 384, 288 (2004).
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <string>

#include "motion/bath_state.hpp"

namespace fg {

struct MonteCarloBarostat {
  double pressure = 0;        // [hartree/bohr^3]
  double temperature = 0;     // k_B T
  int centres = 0;            // that are scaled
  std::int64_t interval = 0;  // steps between two trials; 0: none
  std::uint64_t seed = 0;

  /// Changes the volume by a random step; sets the size of the first step in `state`.
  double trial_volume(BathState& state, std::int64_t step) const noexcept;
  /// Whether the volume `after` is accepted, which changes the energy by this much; never if that
  /// is not a number. Counts in `state`, and adapts the size of the next steps.
  bool accept(BathState& state, double energy_change, double after,
              std::int64_t step) const noexcept;

  /// The words for the log.
  std::string description() const;
};

}  // namespace fg
