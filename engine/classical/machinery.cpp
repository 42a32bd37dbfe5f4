// SPDX-License-Identifier: BSD-3-Clause
#include "classical/machinery.hpp"

#include <cmath>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/elementary.hpp"
#include "base/error.hpp"
#include "classical/assembly.hpp"
#include "classical/division/box_division.hpp"
#include "classical/evaluate.hpp"
#include "classical/run_order.hpp"
#include "processes/placement.hpp"
#include "processes/profiles.hpp"
#include "processes/ranks.hpp"
#include "records/hdf5/memory_file.hpp"
#include "records/job/job_motion.hpp"

namespace fg::classical {

namespace {

Frame checkpoint_of(const State& state) {
  return {.step = state.step,
          .purpose = FramePurpose::checkpoint,
          .position = state.position,
          .velocity = state.velocity,
          .force = {},
          .image = state.image,
          .bath = state.bath};
}

class MachineryWithDivisions final : public Machinery {
 public:
  MachineryWithDivisions(const System& system, const MachineOptions& options, OutputQueue& output)
      : system_(system),
        options_(options),
        output_(output),
        potential_(system),
        divisions_(system),
        barostat_(monte_carlo_barostat(system.job(), system.molecules().centres())) {
    const Job& job = system.job();
    // Other processes need not know where all atoms are.
    const bool first = !options.transport || options.transport->rank() == 0;
    make(first_division(job), job.box, first ? start_positions(job) : std::vector<Vec3>());
  }

  ~MachineryWithDivisions() override {
    // Releases the other processes, which wait for the next run.
    if (options_.transport && options_.transport->rank() == 0 && !failed_)
      options_.transport->broadcast({});
  }

  void run(const Schedule& schedule, const State& state) override {
    earlier_ = present_ = {};
    order(schedule, state);
    while (std::optional<State> next = objects_->next())
      if (!go_on(schedule, *next)) return;
    if (!objects_->finished())
      throw InternalError({.what = "the simulation makes no progress",
                           .where = objects_->runtime().describe_waiting(),
                           .hint = "this is a defect of finegrain: please report it with the job"});
  }

  topology::PeLayout layout() const override { return layout_of_pes(objects_->runtime()); }

  void serve() override {
    for (;;) {
      const auto bytes = options_.transport->broadcast({});
      if (bytes.empty()) return;
      if (bytes.size() == 1) {
        remove_memory();
        continue;
      }
      const RunOrder order = run_order_from_bytes(bytes);
      try {
        run_here(order.schedule, {.step = order.step, .stage = order.stage, .bath = order.bath});
      } catch (...) {
        const Runtime* const runtime = objects_ ? &objects_->runtime() : nullptr;
        if (who_knows(runtime, std::current_exception()) != Known::everywhere) throw;
        return;
      }
    }
  }

  void forget_memory() override {
    if (!options_.memory.on()) return;
    if (options_.transport) options_.transport->broadcast({std::byte{1}});
    remove_memory();
  }

  Profile profile() const override {
    Profile all = earlier_;
    add_objects(all, present_);
    return all;
  }
  /// The trace of the last stretch.
  Trace trace() const override { return objects_ ? objects_->runtime().trace() : Trace(); }

 private:
  /// Called in process 0: all processes run this.
  void order(const Schedule& schedule, const State& state) {
    failed_ = true;
    if (options_.transport)
      options_.transport->broadcast(to_bytes(RunOrder{
          .schedule = schedule, .step = state.step, .stage = state.stage, .bath = state.bath}));
    run_here(schedule, state);
    failed_ = false;
    add_stretch(present_, objects_->profile());
  }

  /// Called after a break: continues with other objects or another volume. False if the run stops.
  bool go_on(const Schedule& schedule, State& state) {
    const BoxDivision before = division_;
    const bool tries = schedule.tries_volume(state.step);
    if (tries) try_volume(schedule, state);
    // The conductor stops a run at other steps. A checkpoint of the last step would look like the
    // end of the run.
    const bool ends = state.step == schedule.last();
    const bool stops =
        tries && !ends && (output_.stop_wanted.load() || schedule.stop_due(state.step));
    if (!ends &&
        (stops || state.bath.division != before || output_.checkpoint_wanted.exchange(false)))
      output_.push(checkpoint_of(state));
    if (!stops) order(schedule.from(state.step), state);
    return !stops;
  }

  void try_volume(const Schedule& schedule, State& state) {
    const double before = state.bath.box.volume();
    const double after = barostat_.trial_volume(state.bath, state.step);
    State trial = scaled(system_, state, elementary::cbrt(after / before));
    divisions_.follow(trial.bath.division, trial.bath.box, state.step);
    const double here = potential(schedule, state);
    const double change = potential(schedule, trial) - here;
    if (!barostat_.accept(state.bath, change, after, state.step)) return;
    trial.bath.trials = state.bath.trials;
    trial.bath.work += change;
    state = std::move(trial);
  }

  double potential(const Schedule& schedule, const State& state) {
    State at = state;
    at.stage = VelocityStage::full;
    order(schedule.weighing(state.step), at);
    return sum(potential_.of(objects_->weighed()));
  }

  /// Only process 0 has the atoms of `state`.
  void run_here(const Schedule& schedule, const State& state) {
    if (state.bath.division != division_) {
      make(state.bath.division, state.bath.box, state.position);
    } else if (!ran_ && state.step > 0) {  // the job's positions are out of date
      objects_->place_for(state);
    }
    ran_ = true;
    objects_->run(schedule, state);
  }

  void make(const BoxDivision& division, const Box& box, std::span<const Vec3> positions) {
    add_objects(earlier_, present_);
    present_ = {};
    objects_.reset();
    objects_ = make_assembly(system_, options_, division, box, positions, output_);
    division_ = division;
  }

  void remove_memory() const {
    remove_memory_of(options_.memory.folder, objects_->runtime().process());
  }

  const System& system_;
  MachineOptions options_;
  OutputQueue& output_;
  PotentialTerms potential_;
  BoxDivisions divisions_;
  MonteCarloBarostat barostat_;
  BoxDivision division_;
  std::unique_ptr<Assembly> objects_;  // of this division
  // The profiles of this run: of the divisions before this one, and of this one.
  Profile earlier_, present_;
  bool ran_ = false;
  bool failed_ = false;  // failed, or a run is in progress
};

}  // namespace

std::unique_ptr<Machinery> make_machinery(const System& system, const MachineOptions& options,
                                          OutputQueue& output) {
  return std::make_unique<MachineryWithDivisions>(system, options, output);
}

}  // namespace fg::classical
