// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as a library call: run a job, or evaluate it once. The executable, the Python module
// and the tests all come in through here.
// Units: as named; results are in the field's units.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fg {
class Transport;
}

namespace fg::app {

struct RunOptions {
  std::string job;  // path of the job file
  std::string out;  // folder for trajectory, energies, log and checkpoints; made if absent
  int pes = 1;      // worker threads of each process
  Transport* transport = nullptr;        // to the other processes of the run; null: there are none
  int communication_threads = 0;         // that drive the network; 0: the workers do
  std::string map = "block";             // where objects live: "block", "round-robin" or "hashed"
  std::string balance = "none";          // or "refine", "greedy", "bisection", "random"
  std::int64_t balance_interval = 1000;  // steps between two rounds of balancing
  std::string resume;                    // checkpoint to go on from; empty: start from the job
  std::int64_t memory_every = 0;         // steps between two checkpoints in memory; 0: none
  bool ignore_memory = false;            // `resume` means the checkpoint on disk as it is
  bool pin = true;                       // bind workers to cores where there are enough
  bool profile = true;                   // time every entry
  bool trace = false;                    // keep what ran when; written to trace.0.bin
  std::int64_t stop_after_step = -1;  // save and stop at the first rebuild at or after; -1: run on
  std::int64_t steps = -1;            // total number of steps instead of the job's
};

struct Progress {
  std::int64_t step = 0, steps = 0;
  double seconds = 0;                 // since the first step
  double temperature_kelvin = 0;      // of the latest energy step
  double energy_drift = 0;            // kJ/mol/ps per atom
  double potential = 0, kinetic = 0;  // kJ/mol
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
  std::int64_t steps = 0;  // the last step done
  bool finished = false;   // false: stopped early, resumable
  int pes = 0, ranks = 1, atoms = 0;
  double seconds = 0, seconds_per_step = 0, ns_per_day = 0;
  double energy_drift = 0;  // kJ/mol/ps per atom; of potential + kinetic, meaningful in NVE
  double temperature_kelvin = 0, potential = 0, kinetic = 0;  // last energy step, kJ/mol
  std::string state_digest;
  std::string went_on_from;  // "step 200, kept in memory"; empty: from the job
  std::string simd_target;
  std::int64_t messages = 0;
  double overhead_share = 0;  // scheduling and messaging over busy time
  double idle_share = 0;
  std::vector<PhaseTime> phases;
  std::vector<std::string> warnings;
};

/// Runs the job to its end, or until `on_progress` returns false (then a checkpoint is saved at the
/// next rebuild). `on_progress` is called on the calling thread about five times a second.
/// Stopped before the first step, while minimising, it saves nothing: from the job again, the run
/// takes the same way.
/// Throws fg::Error; the last whole checkpoint stays usable, that in memory too.
/// With a transport, process 0 calls `run` and the others `serve` with the same options.
RunResult run(const RunOptions& options,
              const std::function<bool(const Progress&)>& on_progress = {});

struct EnergyResult {
  std::vector<std::pair<std::string, double>> terms;  // kJ/mol, total last
  std::vector<double> forces;                         // [atoms * 3] kJ/mol/nm, input order
  std::array<double, 6> virial{};                     // kJ/mol: xx yy zz xy xz yz
};

/// Which forces `energy` evaluates; the pair forces alone show their error apart from the mesh's.
enum class ForceParts { all, pairs };

/// Energies by term and forces at the job's positions, as they are (nothing is constrained).
/// Of `options`: job, pes, map, transport; the processes other than 0 call `serve_energy`.
EnergyResult energy(const RunOptions& options, ForceParts parts = ForceParts::all);

/// The part of a process other than 0 in `run` and in `energy`: returns when that ends. Throws
/// fg::Error where process 0 throws it too.
void serve(const RunOptions& options);
void serve_energy(const RunOptions& options, ForceParts parts = ForceParts::all);

}  // namespace fg::app
