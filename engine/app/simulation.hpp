// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as a library: one call runs a job file, one evaluates its forces once. The executable
// and the Python extension are two thin faces of what is declared here.
// Units: those of reports (kJ/mol, nm, ps, K), named in each field.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace fg::app {

struct RunOptions {
  std::string job;                    // path of the HDF5 job
  std::string out;                    // folder of the results, made if it is not there
  int pes = 1;                        // worker threads
  std::string map = "block";          // which PE an object lives on; never changes a bit
  std::string resume{};               // checkpoint to go on from; empty starts at step 0
  bool profile = true;                // measure the time per phase
  std::int64_t stop_after_step = -1;  // stop there, resumable, as if asked to; -1 goes to the end
};

/// How far a run is; its temperature and energies are those of the last energy step.
struct Progress {
  std::int64_t step = 0;
  std::int64_t steps = 0;
  double seconds = 0;             // since the first step of this call
  double temperature_kelvin = 0;
  double energy_drift = 0;        // kJ/mol/ps per atom, slope of the conserved energy
  double potential = 0;           // kJ/mol
  double kinetic = 0;             // kJ/mol
};

/// Time that the PEs together spent in one kind of work.
struct PhaseTime {
  std::string name;
  double seconds = 0;      // summed over PEs
  std::int64_t calls = 0;
};

struct RunResult {
  std::int64_t steps = 0;      // steps made by this call
  std::int64_t last_step = 0;  // where the run stands
  bool finished = false;       // false: stopped early, and the checkpoint goes on from last_step
  int atoms = 0;
  int pes = 0;
  double seconds = 0;
  double seconds_per_step = 0;
  double ns_per_day = 0;
  double energy_drift = 0;        // kJ/mol/ps per atom
  double temperature_kelvin = 0;  // mean over the energy steps of this call
  std::string state_digest;       // SHA-256 of the final positions, velocities and cell
  std::string checkpoint;         // path, empty if none was written
  std::vector<PhaseTime> phases;
  std::vector<std::string> warnings;
};

struct EnergyResult {
  std::vector<std::pair<std::string, double>> terms;  // kJ/mol, by name; no total among them
  std::vector<double> forces;                         // [atoms][3] kJ/mol/nm, input order
  std::array<double, 6> virial{};                     // kJ/mol: xx, yy, zz, xy, xz, yz
};

/// Runs a job until its last step, until `on_progress` returns false, or until an error.
/// `on_progress` is called from the calling thread about five times a second and may be empty; when
/// it returns false the run stops at the next rebuild step and writes a checkpoint.
/// Throws fg::Error; the last good checkpoint then stays.
RunResult run(const RunOptions& options, const std::function<bool(const Progress&)>& on_progress);

/// Energies by term, forces and virial of the positions in a job file.
EnergyResult energy(const std::string& job, int pes);

/// What this build was made of and what it found on this machine.
struct Installation {
  std::string version;
  std::string compiler;
  std::string build_type;
  std::string simd_target;                // the one that kernels use here
  std::vector<std::string> simd_targets;  // those that were compiled in and run here, best first
  std::vector<std::pair<std::string, std::string>> libraries;  // name and version
  int cores = 0;
  int hardware_threads = 0;
  int numa_nodes = 0;
  std::int64_t memory_bytes = 0;
};

Installation describe_installation();

}  // namespace fg::app
