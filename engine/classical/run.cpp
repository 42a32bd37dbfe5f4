// SPDX-License-Identifier: BSD-3-Clause
#include "classical/run.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <exception>
#include <optional>

#include "base/error.hpp"
#include "base/units.hpp"
#include "classical/machinery.hpp"
#include "classical/minimisation.hpp"
#include "classical/run_output.hpp"
#include "classical/time_table.hpp"
#include "processes/installation.hpp"
#include "processes/machine_failure.hpp"
#include "processes/machine_options.hpp"
#include "processes/memory_checkpoint.hpp"
#include "processes/ranks.hpp"
#include "records/energy_rows.hpp"
#include "records/files.hpp"
#include "records/folder_lock.hpp"
#include "records/output_reach.hpp"
#include "records/resumption.hpp"
#include "records/run_log.hpp"
#include "records/state_digest.hpp"
#include "records/trace_file.hpp"

namespace fg::classical {

namespace {

using Clock = std::chrono::steady_clock;
constexpr auto patience = std::chrono::milliseconds(200);
constexpr auto patience_for_lock = std::chrono::seconds(5);

double seconds_since(Clock::time_point start) {
  return std::chrono::duration<double>(Clock::now() - start).count();
}

Job load(const RunOptions& options) {
  Job job = load_job(options.job);
  if (options.steps >= 0) job.dynamics.steps = options.steps;
  return job;
}

std::string mode(const MachineOptions& machine) {
  if (machine.communication_threads > 0)
    return std::to_string(machine.communication_threads) + " communication threads of each process";
  return machine.pes == 1 ? "the one PE of each process" : "the PEs of each process";
}

MachineOptions energy_options(const RunOptions& options, ForceParts parts) {
  MachineOptions machine = machine_options(options);
  machine.profile = false;
  machine.trace = 0;
  machine.pairs_only = parts == ForceParts::pairs;
  return machine;
}

/// One run, from creating its objects to writing its last file.
class Run {
 public:
  Run(const RunOptions& options, const std::function<bool(const Progress&)>& on_progress)
      : options_(options),
        on_progress_(on_progress),
        job_(load(options)),
        system_(job_),
        machine_(machine_options(options)),
        lock_(lock(options)),
        log_(make_folder(options.out) + "/run.log", !options.resume.empty()) {
    describe_start();
  }

  RunResult go() {
    begin_with_memory();
    machinery_ = make_machinery(system_, machine_, queue_);
    if (options_.trace) trace_.emplace([this] { return machinery_->trace(); }, options_.out);
    if (!begin()) return stopped_before_dynamics();
    if (resumption_ && state_.step == job_.dynamics.steps) return already_at_the_end();
    RunOutput output(system_, options_.out, state_, resumption_ ? &*resumption_ : nullptr,
                     queue_.written_before);
    Schedule schedule(job_.settings, job_.dynamics, state_.step, job_.dynamics.steps);
    schedule.stop_after(options_.stop_after_step);
    run_and_write(schedule, output);
    for (const std::string& warning : queue_.take_warnings()) log_.warning(warning);
    forget_memory();
    return summarise(schedule, output);
  }

  const Job& job() const noexcept { return job_; }

 private:
  static std::unique_ptr<FolderLock> lock(const RunOptions& options) {
    return options.folder_is_locked ? nullptr
                                    : std::make_unique<FolderLock>(options.out, patience_for_lock);
  }

  int ranks() const { return machine_.transport ? machine_.transport->processes() : 1; }

  void describe_start() {
    log_.heading(job_.title.empty() ? "finegrain run" : job_.title);
    log_.entry("finegrain", describe_installation().version);
    log_.entry("SIMD target", describe_installation().simd_target);
    for (const auto& [name, value] : describe_machine()) log_.entry(name, value);
    if (machine_.transport) {
      log_.entry("processes",
                 std::to_string(ranks()) + " over " + machine_.transport->description());
      log_.entry("PEs of each", std::to_string(machine_.pes));
      log_.entry("network driven by", mode(machine_));
    } else {
      log_.entry("PEs", std::to_string(machine_.pes));
    }
    log_.entry("map", machine_.map);
    if (machine_.balance != "none")
      log_.entry("balance", machine_.balance + " every " +
                                std::to_string(machine_.balance_interval) + " steps");
    for (const auto& [name, value] : describe_job(job_)) log_.entry(name, value);
    log_.line(
        "Same build, SIMD target and processor maker, same bits: on any number of PEs, under any "
        "map, after any restart.");
  }

  void begin_with_memory() {
    const MemoryStart start = begin_memory(options_, job_);
    for (const std::string& warning : start.warnings) log_.warning(warning);
    if (!start.found.empty()) {
      log_.line(start.found);
      source_ = "kept in memory";
    }
    machine_.memory = start.plan;
    if (!machine_.memory.on()) return;
    log_.entry("in memory", "every " + std::to_string(options_.memory_every) + " steps, in " +
                                machine_.memory.folder);
    // Saves one on disk soon, as a fallback.
    queue_.checkpoint_wanted = options_.resume.empty();
  }

  void forget_memory() {
    machinery_->forget_memory();
    forget_memory_marker(options_);
  }

  /// Finds or makes the initial state; false if a stop was requested meanwhile.
  bool begin() {
    if (!options_.resume.empty()) {
      resumption_ = find_start(options_, job_);
      state_ = state_of_checkpoint(resumption_->checkpoint);
      log_.line("Continues from step " + std::to_string(state_.step) + " of " + options_.resume);
      if (!resumption_->warning.empty()) log_.warning(resumption_->warning);
      return true;
    }
    state_ = state_of_job(job_);
    if (job_.dynamics.minimise != Minimisation::none && !minimise_first()) return false;
    prepare_for_dynamics(system_, state_);
    return true;
  }

  /// Nothing is saved: a new start from the job gives the same trajectory.
  RunResult stopped_before_dynamics() {
    forget_memory();
    log_.warning("stopped while minimising, before the first step: start it again");
    return without_steps();
  }

  /// The previous run did its last step, but could not report it.
  RunResult already_at_the_end() {
    forget_memory();
    const Checkpoint& last = resumption_->checkpoint;
    secure_outputs(options_.out, output_reach(options_.out, job_, last.outputs.begin));
    DriftSums drift = last.drift;
    add_rows(drift, options_.out, job_, last.step, last.step + 1);
    log_.line("All steps were done before; nothing was left to do but to say so");
    RunResult result = without_steps();
    result.steps = last.step;
    result.finished = true;
    result.state_digest = state_digest(last.positions, last.velocities, last.bath.box);
    result.went_on_from = "step " + std::to_string(last.step) + ", " + source_;
    result.energy_drift = drift_per_atom(drift, system_.atoms());
    if (const auto rows = stored_rows(options_.out + "/energies.csv"); !rows.empty()) {
      const auto& values = rows.back().values;
      result.potential = values.at(StoredRow::potential);
      result.kinetic = values.at(StoredRow::kinetic);
      result.temperature_kelvin = values.at(StoredRow::temperature);
    }
    return result;
  }

  RunResult without_steps() const {
    return {.steps = 0,
            .finished = false,
            .pes = machine_.pes,
            .ranks = ranks(),
            .atoms = system_.atoms(),
            .seconds = seconds_,
            .stopped_by = stopped_by_,
            .simd_target = describe_installation().simd_target,
            .warnings = log_.warnings()};
  }

  /// Whether the wall time is over.
  bool out_of_time() {
    if (options_.hours <= 0 || seconds_since(begun_) < 3600 * options_.hours) return false;
    stopped_by_ = "hours";
    return true;
  }

  bool minimise_first() {
    const auto start = Clock::now();
    const auto summary =
        minimise(*machinery_, queue_, system_, state_, [&](const MinimisationSummary& so_far) {
          if (out_of_time()) return false;
          if (!on_progress_) return true;
          Progress progress{.steps = job_.dynamics.steps, .seconds = seconds_since(start)};
          progress.potential = so_far.energy * units::hartree_in_kj_per_mol;
          progress.evaluations = so_far.evaluations;
          progress.largest_force = so_far.largest_force * units::force_in_kj_per_mol_nm;
          return on_progress_(progress);
        });
    seconds_ = seconds_since(start);
    if (summary.stopped) return false;
    if (summary.parting_steps > 0)
      log_.line("Atoms overlapped at the start: separated in " +
                std::to_string(summary.parting_steps) + " steps before the minimisation");
    log_.line("Minimised in " + std::to_string(summary.evaluations) + " evaluations to " +
              quantity(summary.energy * units::hartree_in_kj_per_mol, "kJ/mol") +
              ", largest force " +
              quantity(summary.largest_force * units::force_in_kj_per_mol_nm, "kJ/mol/nm") +
              (summary.converged ? "" : " (not converged)"));
    if (!summary.converged) log_.warning("the minimisation did not reach its tolerance");
    return true;
  }

  void run_and_write(const Schedule& schedule, RunOutput& output) {
    std::exception_ptr failure;
    start_ = seconds_now(machine_.transport);
    std::thread worker = beside(machine_.transport, [&] {
      try {
        machinery_->run(schedule, state_);
      } catch (...) {
        failure = std::current_exception();
      }
      queue_.finish();
    });
    std::exception_ptr output_failure;
    // After a failure the objects stop at the next rebuild, and the failure is reported. Nothing
    // more is written: results after a gap would be useless, and a checkpoint would be beyond the
    // gap.
    const auto attempt = [&](auto&& write) {
      if (output_failure) return;
      try {
        write();
      } catch (...) {
        output_failure = std::current_exception();
        queue_.stop_wanted = true;
      }
    };
    auto saved = Clock::now(), told = saved;
    while (!queue_.finished()) {
      for (auto& item : queue_.take(patience))
        attempt([&] { std::visit([&](auto& x) { output.write(std::move(x)); }, item); });
      if (job_.dynamics.checkpoint_seconds > 0 &&
          seconds_since(saved) >= job_.dynamics.checkpoint_seconds) {
        queue_.checkpoint_wanted = true;
        saved = Clock::now();
      }
      if (out_of_time()) queue_.stop_wanted = true;
      if (Clock::now() - told < patience && !queue_.finished()) continue;
      told = Clock::now();
      attempt([&] { tell(output); });
    }
    if (worker.joinable()) worker.join();
    seconds_ = seconds_run();
    if (trace_)
      if (const std::string why = trace_->write(); !why.empty())
        log_.warning("the trace was not written: " + why);
    if (!output_failure) output_failure = failure;
    if (output_failure) {
      log_failure(output_failure);
      std::rethrow_exception(output_failure);
    }
    output.finish();
  }

  double seconds_run() const { return seconds_now(machine_.transport) - start_; }

  void tell(const RunOutput& output) {
    if (!on_progress_) return;
    Progress progress{.step = queue_.step.load(std::memory_order_relaxed),
                      .steps = job_.dynamics.steps,
                      .seconds = seconds_run()};
    output.describe(progress);
    if (!on_progress_(progress)) queue_.stop_wanted = true;
  }

  void log_failure(const std::exception_ptr& failure) {
    try {
      try {
        std::rethrow_exception(failure);
      } catch (const std::exception& error) {
        log_.warning(error.what());
      }
    } catch (const ResourceError&) {
      return;  // the disk that is full is that of the log, too
    }
  }

  RunResult summarise(const Schedule& schedule, const RunOutput& output) {
    const Profile profile = machinery_->profile();
    RunResult result{.steps = output.saved_step(),
                     .finished = output.saved_step() == schedule.last(),
                     .pes = machine_.pes,
                     .ranks = ranks(),
                     .atoms = system_.atoms(),
                     .seconds = seconds_};
    const auto done = std::max<std::int64_t>(result.steps - schedule.first(), 1);
    result.seconds_per_step = seconds_ / static_cast<double>(done);
    result.ns_per_day =
        job_.dynamics.timestep * units::time_in_fs * 1e-6 * 86400.0 / result.seconds_per_step;
    Progress latest;
    output.describe(latest);
    result.energy_drift = latest.energy_drift;
    result.temperature_kelvin = latest.temperature_kelvin;
    result.potential = latest.potential;
    result.kinetic = latest.kinetic;
    if (!result.finished) result.stopped_by = stopped_by_;
    const Checkpoint final_state = load_checkpoint(output.checkpoint_path());
    result.state_digest =
        state_digest(final_state.positions, final_state.velocities, final_state.bath.box);
    if (!options_.resume.empty())
      result.went_on_from = "step " + std::to_string(schedule.first()) + ", " + source_;
    result.simd_target = describe_installation().simd_target;
    result.phases = time_table(profile);
    result.overhead_share = overhead_share(profile);
    result.idle_share = idle_share(profile);
    for (const auto& pe : profile.pes) result.messages += static_cast<std::int64_t>(pe.processed);
    result.warnings = log_.warnings();
    describe_end(result);
    return result;
  }

  void describe_end(const RunResult& result) {
    std::vector<std::vector<std::string>> rows{{"phase", "seconds", "calls", "share %"}};
    for (const auto& phase : result.phases)
      rows.push_back({phase.name, quantity(phase.seconds, ""), std::to_string(phase.calls),
                      quantity(100 * phase.share, "")});
    log_.heading("Where the time went, summed over PEs");
    log_.table(rows);
    log_.entry("steps", std::to_string(result.steps));
    log_.entry("finished", result.finished                ? "yes"
                           : result.stopped_by == "hours" ? "no, the wall time is over; resumable"
                                                          : "no, resumable");
    log_.entry("seconds per step", quantity(result.seconds_per_step, "s"));
    log_.entry("speed", quantity(result.ns_per_day, "ns/day"));
    if (std::isfinite(result.energy_drift))
      log_.entry("energy drift", quantity(result.energy_drift, "kJ/mol/ps per atom"));
    log_.entry("state digest", result.state_digest);
  }

  const RunOptions& options_;
  const std::function<bool(const Progress&)>& on_progress_;
  Job job_;
  System system_;
  MachineOptions machine_;
  Clock::time_point begun_ = Clock::now();
  std::unique_ptr<FolderLock> lock_;
  RunLog log_;
  OutputQueue queue_;
  std::unique_ptr<Machinery> machinery_;
  std::optional<TraceOutput> trace_;
  State state_;
  std::optional<Resumption> resumption_;
  std::string stopped_by_;
  double start_ = 0;
  double seconds_ = 0;
  std::string source_ = "saved on disk";  // source of the initial state
};

}  // namespace

RunResult run(const RunOptions& options, const std::function<bool(const Progress&)>& on_progress) {
  std::unique_ptr<Run> run;
  together(options.transport, [&] { run = std::make_unique<Run>(options, on_progress); });
  try {
    return run->go();
  } catch (const std::bad_alloc&) {
    throw JobWithoutMemory(run->job().memory);
  }
}

namespace {

template <class MakeOptions, class Begin>
void serve_with(const RunOptions& options, MakeOptions&& make_options, Begin&& begin) {
  Job job;
  std::unique_ptr<const System> system;
  MachineOptions machine;
  together(options.transport, [&] {
    job = load(options);
    system = std::make_unique<const System>(job);
    machine = make_options();
  });
  machine.memory = begin(job);
  OutputQueue unused;
  const auto machinery = make_machinery(*system, machine, unused);
  // It is also written when the run fails. A full disk here does not end the run.
  std::optional<TraceOutput> trace;
  if (machine.trace > 0)
    trace.emplace([&] { return machinery->trace(); }, options.out, options.transport->rank());
  machinery->serve();
}

}  // namespace

void serve(const RunOptions& options) {
  serve_with(
      options, [&] { return machine_options(options); },
      [&](const Job& job) { return begin_memory(options, job).plan; });
}

void serve_energy(const RunOptions& options, ForceParts parts) {
  serve_with(
      options, [&] { return energy_options(options, parts); },
      [](const Job&) { return MemoryPlan(); });
}

EnergyResult energy(const RunOptions& options, ForceParts parts) {
  Job job;
  std::unique_ptr<const System> made;
  MachineOptions machine;
  together(options.transport, [&] {
    job = load(options);
    made = std::make_unique<const System>(job);
    machine = energy_options(options, parts);
  });
  const System& system = *made;
  OutputQueue queue;
  const auto machinery = make_machinery(system, machine, queue);
  State state = state_of_job(job);
  place_virtual_sites(system, state);
  const auto evaluation = evaluate(*machinery, queue, system, state);

  const PotentialTerms potential(system);
  const auto values = potential.of(evaluation.totals);
  const auto names = potential.names();
  EnergyResult result;
  for (std::size_t i = 0; i < names.size(); ++i)
    result.terms.emplace_back(names[i], values[i] * units::hartree_in_kj_per_mol);
  result.terms.emplace_back("total", sum(values) * units::hartree_in_kj_per_mol);
  result.forces.reserve(3 * evaluation.frame.force.size());
  for (const auto& force : evaluation.frame.force)
    for (int axis = 0; axis < 3; ++axis)
      result.forces.push_back(force[axis] * units::force_in_kj_per_mol_nm);
  result.virial = potential.virial(evaluation.totals);
  for (auto& component : result.virial) component *= units::hartree_in_kj_per_mol;
  return result;
}

}  // namespace fg::classical
