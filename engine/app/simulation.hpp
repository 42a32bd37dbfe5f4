// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as library calls: run a job, or evaluate it once. The executable, the Python module
// and the tests all use these. Units: as named; results are in the usual units of the field.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace fg {
class Transport;
}

namespace fg::app {

struct RunOptions {
  std::string job;  // path of the job file
  std::string out;  // folder for trajectory, energies, log and checkpoints; created if missing
  int pes = 1;      // worker threads of each process
  Transport* transport = nullptr;  // connects the other processes of the run; null: there are none
  int communication_threads = 0;   // threads for the network; 0: the workers drive it
  std::string map = "block";       // where objects live: "block", "round-robin" or "hashed"
  std::string balance = "none";    // or "refine", "greedy", "bisection", "random"
  std::int64_t balance_interval = 1000;  // steps between two rounds of balancing
  std::string resume;                    // checkpoint to continue from; empty: start from the job
  std::int64_t memory_every = 0;         // steps between two checkpoints in memory; 0: none
  bool ignore_memory = false;  // use the checkpoint on disk even if one in memory is newer
  bool new_results = false;    // begin new files where those before are not whole
  bool pin = true;             // bind workers to cores if there are enough
  bool profile = true;         // measure the time of every entry
  bool trace = false;          // record what ran when; written to trace.0.bin
  // save and stop at the first rebuild at or after this step; -1: do not stop
  std::int64_t stop_after_step = -1;
  std::int64_t steps = -1;        // total number of steps instead of the job's
  double hours = 0;               // of wall time, then save and stop; 0: no limit
  bool folder_is_locked = false;  // the caller holds the lock of `out` (folder_lock.hpp)
};

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

/// Runs the job to its end, or until `on_progress` returns false (then a checkpoint is saved at the
/// next rebuild). `on_progress` is called on the calling thread about five times a second. If it is
/// stopped before the first step, while minimising, nothing is saved: a new start from the job
/// gives the same trajectory. Throws fg::Error; the last whole checkpoint stays usable, also one in
/// memory. With a transport, process 0 calls `run` and the others call `serve` with the same
/// options.
RunResult run(const RunOptions& options,
              const std::function<bool(const Progress&)>& on_progress = {});

struct EnergyResult {
  std::vector<std::pair<std::string, double>> terms;  // kJ/mol, total last
  std::vector<double> forces;                         // [atoms * 3] kJ/mol/nm, input order
  std::array<double, 6> virial{};                     // kJ/mol: xx yy zz xy xz yz
};

/// The forces that `energy` evaluates; the pair forces alone show their error separately from the
/// mesh's.
enum class ForceParts { all, pairs };

/// Energies by term and forces at the job's positions, unchanged (constraints are not applied).
/// Uses only job, pes, map and transport of `options`; processes other than 0 call `serve_energy`.
EnergyResult energy(const RunOptions& options, ForceParts parts = ForceParts::all);

/// The part of a process other than 0 in `run` and in `energy`; returns when that ends. Throws
/// fg::Error if process 0 throws it too.
void serve(const RunOptions& options);
void serve_energy(const RunOptions& options, ForceParts parts = ForceParts::all);

}  // namespace fg::app
