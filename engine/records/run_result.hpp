// SPDX-License-Identifier: BSD-3-Clause
//
// What a run reports on its way and at its end, and what one evaluation gives. Units: those of the
// field, as named.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace fg {

/// The value of a quantity that was not measured.
constexpr double not_measured = std::numeric_limits<double>::quiet_NaN();

struct Progress {
  std::int64_t step = 0, steps = 0;
  double seconds = 0;                                       // since the first step
  double temperature_kelvin = not_measured;                 // of the latest energy step
  double energy_drift = not_measured;                       // kJ/mol/ps per atom
  double potential = not_measured, kinetic = not_measured;  // kJ/mol
  /// While minimising, before the first step: evaluations so far and the largest force.
  std::int64_t evaluations = 0;
  double largest_force = 0;  // kJ/mol/nm
};

/// Called on the way; the run stops, resumable, after it has returned false.
using OnProgress = std::function<bool(const Progress&)>;

struct PhaseTime {
  std::string name;
  double seconds = 0;  // summed over PEs
  std::int64_t calls = 0;
  double share = 0;  // of all PEs' time
};

struct RunResult {
  std::int64_t steps = 0;  // the last completed step
  bool finished = false;   // false: stopped early, can be resumed
  int pes = 0, ranks = 1, atoms = 0;
  double seconds = 0, seconds_per_step = not_measured, ns_per_day = not_measured;
  double energy_drift = not_measured;  // kJ/mol/ps per atom; NaN: under a heat bath, or few rows
  double temperature_kelvin = not_measured;                 // of the last energy step,
  double potential = not_measured, kinetic = not_measured;  // as these, kJ/mol
  std::string state_digest;
  std::string went_on_from;  // "step 200, kept in memory"; empty: from the job
  std::string stopped_by;    // "hours", when that limit ended it; else empty
  std::string simd_target;
  std::int64_t messages = 0;
  double overhead_share = 0;  // scheduling and messaging over busy time
  double idle_share = 0;
  std::vector<PhaseTime> phases;
  std::vector<std::string> warnings;
};

struct EnergyResult {
  std::vector<std::pair<std::string, double>> terms;  // kJ/mol, total last
  std::vector<double> forces;                         // [atoms * 3] kJ/mol/nm, input order
  std::array<double, 6> virial{};                     // kJ/mol: xx yy zz xy xz yz
};

}  // namespace fg
