// SPDX-License-Identifier: BSD-3-Clause
//
// What a kind of run brings: everything in a run that depends on the physics. The functions below
// are in the order in which runs/run.hpp calls them. Units: those of the functions' results.
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bits.hpp"
#include "base/vec3.hpp"
#include "processes/machine_options.hpp"
#include "processes/memory_checkpoint.hpp"
#include "records/job/job_file.hpp"
#include "records/job/job_key.hpp"
#include "records/log/run_log.hpp"
#include "records/options/output_signals.hpp"
#include "records/options/run_options.hpp"
#include "records/options/run_result.hpp"
#include "runs/job_traffic.hpp"
#include "runs/prediction/step_forecast.hpp"
#include "runs/time_table.hpp"
#include "runtime/profile.hpp"
#include "runtime/trace.hpp"
#include "topology/placement/pe_layout.hpp"

namespace fg {

/// What a run needs to know of its job.
struct JobFacts {
  std::string title;
  int atoms = 0;
  std::int64_t steps = 0;         // the last one
  double checkpoint_seconds = 0;  // between two checkpoints on disk; 0: only when stopped
  double memory = 0;              // bytes that it takes, roughly; 0: not known
  Bits bits = Bits::fast;
};

/// The objects of all processes.
class RunObjects {
 public:
  virtual ~RunObjects() = default;

  /// In processes other than 0: takes part in the runs of process 0 until its objects are destroyed
  /// or have failed.
  virtual void serve() = 0;
  /// Called after a successful end, in process 0: removes what all processes have kept in memory.
  virtual void forget_memory() = 0;
  /// The times of the last run, in all processes.
  virtual Profile profile() const = 0;
  /// The trace of the last run; without PEs unless MachineOptions::trace is set.
  virtual Trace trace() const = 0;
};

/// How a run stands before its first step.
enum class RunStart {
  ready,     // steps follow
  stopped,   // a stop was asked for; nothing has to be saved
  all_done,  // an earlier part did the last step, but could not report it
};

class Calculation {
 public:
  virtual ~Calculation() = default;

  virtual JobFacts facts() const = 0;
  /// Every setting that changes the results, as name and value, for the log.
  virtual std::vector<std::pair<std::string, std::string>> settings() const = 0;
  /// Names of entries in the table of times.
  virtual std::span<const EntryWording> wordings() const noexcept = 0;

  /// Called by all processes, as make_objects: looks for checkpoints in memory.
  virtual MemoryStart begin_memory() = 0;
  /// The objects belong to the calculation.
  virtual RunObjects& make_objects(const MachineOptions& machine) = 0;

  /// One evaluation at the job's positions, in process 0.
  virtual EnergyResult energy() = 0;

  /// The same at other positions [atoms; bohr], as often as wanted, in a run of one process. Each
  /// one begins with what the last ones have found; after one that has failed there is no other.
  /// Throws InputError if a kind of run cannot do that.
  virtual EnergyResult energy_at(std::span<const Vec3> positions);
  /// Writes what the last one has found into this file, from which another job may start.
  virtual void save_for_another(const std::string& path);

  /// Finds or makes the initial state. `go_on` reports what it does until then, as far as it has
  /// got; after it has returned false, it stops.
  virtual RunStart begin(RunLog& log, const OnProgress& go_on) = 0;
  /// Opens the files of results; then the steps can run.
  virtual void open_outputs() = 0;
  /// All steps, on a thread of their own; results go to the queue.
  virtual void run() = 0;
  /// The signals of the queue, from the calculation's beginning to its end.
  virtual OutputSignals& signals() noexcept = 0;
  /// Writes what comes within `patience`.
  virtual void write_outputs(std::chrono::milliseconds patience) = 0;
  /// Takes what comes within `patience`, and writes nothing.
  virtual void drop_outputs(std::chrono::milliseconds patience) = 0;
  /// Writes what still waits, after the last step.
  virtual void finish_outputs() = 0;

  /// The step that this part of the run begins with.
  virtual std::int64_t first_step() const noexcept = 0;
  /// The step of the last checkpoint.
  virtual std::int64_t saved_step() const noexcept = 0;
  /// Whether nothing is left to do after a run.
  virtual bool finished() const { return saved_step() == facts().steps; }
  /// The latest values, in the usual units.
  virtual void describe(Progress& progress) const = 0;
  /// Adds what the kind measures; the result has all that every kind has.
  virtual void complete(RunResult& result) const = 0;
  /// The same if all steps were done before.
  virtual void complete_from_files(RunResult& result) const = 0;
};

/// A kind of run: its name in the job file, and its way from there.
struct RunKind {
  std::string_view name;
  /// Reads and checks the job; an InputError names the place in the file and the remedy.
  std::unique_ptr<Calculation> (*load)(const JobFile& file, const RunOptions& options);
  /// The keys of its job; null: it has no list of them.
  std::vector<KeyGroup> (*keys)() = nullptr;
  /// What processes will send each other; `map` as for a run. Null: nobody can say.
  JobTraffic (*traffic)(const JobFile& file, const std::string& map,
                        const topology::PeLayout& layout) = nullptr;
  /// How long a step will take. Null: nobody can say.
  StepForecast (*forecast)(const JobFile& file, const std::string& map,
                           const RunPlaces& places) = nullptr;
};

}  // namespace fg
