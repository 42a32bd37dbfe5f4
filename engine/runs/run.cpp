// SPDX-License-Identifier: BSD-3-Clause
#include "runs/run.hpp"

#include <algorithm>
#include <exception>
#include <optional>
#include <utility>

#include "processes/installation.hpp"
#include "processes/machine_failure.hpp"
#include "processes/ranks.hpp"
#include "records/files/files.hpp"
#include "records/files/folder_lock.hpp"
#include "records/log/trace_file.hpp"
#include "runs/run_report.hpp"
#include "runs/run_writer.hpp"

namespace fg {

namespace {

constexpr auto patience_for_lock = std::chrono::seconds(5);

/// One run, from creating its objects to writing its last file.
class Run {
 public:
  Run(const RunOptions& options, std::unique_ptr<Calculation> calculation,
      const OnProgress& on_progress)
      : options_(options),
        on_progress_(on_progress),
        calculation_(std::move(calculation)),
        facts_(calculation_->facts()),
        machine_(machine_options(options)),
        limit_(options.hours),
        lock_(lock(options)),
        log_(make_folder(options.out) + "/run.log", !options.resume.empty()) {
    log_start(log_, *calculation_, machine_);
  }

  RunResult go() {
    begin_with_memory();
    objects_ = &calculation_->make_objects(machine_);
    if (options_.trace) trace_.emplace([this] { return objects_->trace(); }, options_.out);
    const auto start = Clock::now();
    switch (calculation_->begin(log_, [&](const Progress& at) { return go_on(at, start); })) {
      case RunStart::stopped:
        return stopped_before_steps(seconds_since(start));
      case RunStart::all_done:
        return already_at_the_end();
      case RunStart::ready:
        break;
    }
    calculation_->open_outputs();
    const double seconds = write_results();
    for (const std::string& warning : calculation_->signals().take_warnings())
      log_.warning(warning);
    forget_memory();
    return summarise(seconds);
  }

  const JobFacts& facts() const noexcept { return facts_; }

 private:
  static std::unique_ptr<FolderLock> lock(const RunOptions& options) {
    return options.folder_is_locked ? nullptr
                                    : std::make_unique<FolderLock>(options.out, patience_for_lock);
  }

  void begin_with_memory() {
    const MemoryStart start = calculation_->begin_memory();
    for (const std::string& warning : start.warnings) log_.warning(warning);
    if (!start.found.empty()) {
      log_.line(start.found);
      source_ = "kept in memory";
    }
    machine_.memory = start.plan;
    if (!machine_.memory.on()) return;
    log_.entry("in memory", "every " + std::to_string(options_.memory_checkpoint_steps) +
                                " steps, in " + machine_.memory.folder);
    // Saves one on disk soon, as a fallback.
    calculation_->signals().checkpoint_wanted = options_.resume.empty();
  }

  void forget_memory() {
    objects_->forget_memory();
    forget_memory_marker(options_);
  }

  /// Called before the first step.
  bool go_on(Progress at, Clock::time_point start) {
    if (limit_.over()) return false;
    if (!on_progress_) return true;
    at.steps = facts_.steps;
    at.seconds = seconds_since(start);
    return on_progress_(at);
  }

  /// Nothing is saved: a new start from the job gives the same trajectory.
  RunResult stopped_before_steps(double seconds) {
    forget_memory();
    log_.warning("stopped while minimising, before the first step: start it again");
    RunResult result = result_so_far(seconds);
    result.stopped_by = limit_.ended_by();
    return result;
  }

  /// The previous run did its last step, but could not report it.
  RunResult already_at_the_end() {
    forget_memory();
    log_.line("All steps were done before; nothing was left to do but to say so");
    RunResult result = result_so_far(0);
    result.steps = facts_.steps;
    result.finished = true;
    result.went_on_from = went_on_from(facts_.steps);
    calculation_->complete_from_files(result);
    return result;
  }

  double write_results() {
    const Written written = run_and_write(*calculation_, machine_.transport, limit_, on_progress_);
    if (trace_)
      if (const std::string why = trace_->write(); !why.empty())
        log_.warning("the trace was not written: " + why);
    if (written.failure) {
      log_failure(log_, written.failure);
      std::rethrow_exception(written.failure);
    }
    calculation_->finish_outputs();
    return written.seconds;
  }

  RunResult summarise(double seconds) {
    const std::int64_t first = calculation_->first_step();
    RunResult result = result_so_far(seconds);
    result.steps = calculation_->saved_step();
    result.finished = calculation_->finished();
    result.seconds_per_step =
        seconds / static_cast<double>(std::max<std::int64_t>(result.steps - first, 1));
    if (!result.finished) result.stopped_by = limit_.ended_by();
    if (!options_.resume.empty()) result.went_on_from = went_on_from(first);
    const Profile profile = objects_->profile();
    result.phases = time_table(profile, calculation_->wordings());
    result.parts = parts_table(profile);
    result.overhead_share = overhead_share(profile);
    result.idle_share = idle_share(profile);
    result.load_imbalance = load_imbalance(profile);
    for (const auto& pe : profile.pes) result.messages += static_cast<std::int64_t>(pe.processed);
    calculation_->complete(result);
    log_end(log_, result);
    return result;
  }

  RunResult result_so_far(double seconds) const {
    return {.pes = machine_.pes,
            .ranks = machine_.transport ? machine_.transport->processes() : 1,
            .atoms = facts_.atoms,
            .seconds = seconds,
            .simd_target = describe_installation().simd_target,
            .warnings = log_.warnings()};
  }

  std::string went_on_from(std::int64_t step) const {
    return "step " + std::to_string(step) + ", " + source_;
  }

  const RunOptions& options_;
  const OnProgress& on_progress_;
  std::unique_ptr<Calculation> calculation_;
  JobFacts facts_;
  MachineOptions machine_;
  WallTime limit_;
  std::unique_ptr<FolderLock> lock_;
  RunLog log_;
  RunObjects* objects_ = nullptr;
  std::optional<TraceOutput> trace_;
  std::string source_ = "saved on disk";  // source of the initial state
};

}  // namespace

RunResult run(const RunOptions& options, const LoadCalculation& load,
              const OnProgress& on_progress) {
  std::unique_ptr<Run> run;
  together(options.transport, [&] { run = std::make_unique<Run>(options, load(), on_progress); });
  try {
    return run->go();
  } catch (const std::bad_alloc&) {
    throw JobWithoutMemory(run->facts().memory);
  }
}

void serve(const RunOptions& options, const LoadCalculation& load) {
  std::unique_ptr<Calculation> calculation;
  MachineOptions machine;
  together(options.transport, [&] {
    calculation = load();
    machine = machine_options(options);
  });
  machine.memory = calculation->begin_memory().plan;
  RunObjects& objects = calculation->make_objects(machine);
  // It is also written when the run fails. A full disk here does not end the run.
  std::optional<TraceOutput> trace;
  if (machine.trace > 0)
    trace.emplace([&] { return objects.trace(); }, options.out, options.transport->rank());
  objects.serve();
}

}  // namespace fg
