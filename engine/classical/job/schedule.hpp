// SPDX-License-Identifier: BSD-3-Clause
//
// What happens on which step. This is a pure function of the job, so every chare knows it without
// messages. It does not depend on the clock.
#pragma once

#include <algorithm>
#include <cstdint>
#include <numeric>

#include "particles/step_kind.hpp"
#include "records/job/job.hpp"

namespace fg::classical {

class Schedule {
 public:
  Schedule() = default;
  Schedule(const JobSettings& settings, const JobDynamics& dynamics, std::int64_t first,
           std::int64_t last)
      : first_(first),
        last_(last),
        rebuild_(settings.rebuild_interval),
        prune_(settings.prune_interval),
        energies_(dynamics.energy_interval),
        frames_(dynamics.trajectory_interval),
        com_(dynamics.com_interval),
        coupling_(dynamics.scales() ? settings.rebuild_interval : 0),
        trials_(dynamics.barostat_interval),
        pairs_(dynamics.pair_interval),
        long_range_(dynamics.long_range_interval),
        all_forces_(dynamics.impulse_interval()) {}

  /// The same from another step on.
  Schedule from(std::int64_t step) const noexcept {
    Schedule rest = *this;
    rest.first_ = step;
    return rest;
  }

  /// Only the energies at one step, for a caller that decides by them: nothing is written.
  Schedule weighing(std::int64_t step) const noexcept {
    Schedule one = from(step);
    one.last_ = step;
    one.frames_ = one.com_ = one.coupling_ = one.trials_ = 0;
    one.measures_after_ = false;
    one.weighs_ = true;
    return one;
  }
  bool weighs() const noexcept { return weighs_; }
  /// Whether the run stops at this rebuild, so that another volume can be tried.
  bool tries_volume(std::int64_t step) const noexcept {
    return trials_ > 0 && step > first_ && step % trials_ == 0;
  }

  /// Pair forces and the mesh are evaluated on multiples of their intervals, from step 0 of the job
  /// on. Every step on which something is summed, written or rebuilt is a multiple of both, and the
  /// lists are pruned on steps with pair forces (records/job/job_check.cpp).
  bool pairs(std::int64_t step) const noexcept { return step % pairs_ == 0; }
  int pair_interval() const noexcept { return static_cast<int>(pairs_); }
  bool long_range(std::int64_t step) const noexcept { return step % long_range_ == 0; }
  int long_range_interval() const noexcept { return static_cast<int>(long_range_); }

  /// Kinetic energy and pressure are summed `lag` steps before each coupling step and, counting
  /// back from there, on every `spacing`-th step. With `after`, they are summed also at the
  /// coupling step. `lag` and `spacing` are increased so that all forces are evaluated on all these
  /// steps.
  void measure_before_coupling(int lag, int spacing, bool after) noexcept {
    lag_ = (lag + all_forces_ - 1) / all_forces_ * all_forces_;
    spacing_ = std::lcm(spacing, all_forces_);
    measures_after_ = after;
  }

  /// Stops, with a checkpoint, at the first rebuild at or after `step`.
  void stop_after(std::int64_t step) noexcept { stop_ = step; }
  bool stop_due(std::int64_t rebuild_step) const noexcept {
    return stop_ >= 0 && rebuild_step >= stop_;
  }

  /// Lives pause at the first rebuild after every `steps` steps, so that objects can move; 0:
  /// never.
  void pause_every(std::int64_t steps) noexcept {
    pause_ = (steps + rebuild_ - 1) / rebuild_ * rebuild_;
  }
  bool pauses(std::int64_t rebuild_step) const noexcept {
    return pause_ > 0 && rebuild_step > first_ && rebuild_step < last_ &&
           rebuild_step % pause_ == 0;
  }

  std::int64_t first() const noexcept { return first_; }
  std::int64_t last() const noexcept { return last_; }

  /// Lists are rebuilt on multiples of the interval, and at the start of a run.
  bool rebuild(std::int64_t step) const noexcept { return step == first_ || step % rebuild_ == 0; }
  std::int64_t next_rebuild(std::int64_t step) const noexcept {
    return (step / rebuild_ + 1) * rebuild_;
  }

  /// Boxes and velocities are scaled on rebuild steps, if the job has a bath. A run that starts
  /// between two of them leaves the next one out: it lacks some samples for it.
  bool couples(std::int64_t step) const noexcept {
    return coupling_ > 0 && step >= first_ + coupling_ && step % coupling_ == 0;
  }
  /// The first coupling step after `step`.
  std::int64_t next_coupling(std::int64_t step) const noexcept {
    return coupling_ > 0 ? (step / coupling_ + 1) * coupling_ : last_ + 1;
  }
  /// Whether the sums of `step` count for what happens at the next coupling step.
  bool samples(std::int64_t step) const noexcept {
    const std::int64_t next = next_coupling(step);
    return couples(next) && next <= last_ && (step + lag_) % spacing_ == 0;
  }
  /// Whether they are the last of these.
  bool decides(std::int64_t step) const noexcept {
    return samples(step) && step + lag_ == next_coupling(step);
  }

  /// Steps with a row of energies.
  bool energies(std::int64_t step) const noexcept {
    return step == last_ || (energies_ > 0 && step % energies_ == 0);
  }
  /// Steps on which the virial and the kinetic energy are summed, and all energies on some.
  bool virial(std::int64_t step) const noexcept {
    return energies(step) || samples(step) ||
           (measures_after_ && coupling_ > 0 && step % coupling_ == 0);
  }
  /// The first such step after `step`; after the last step if there is none.
  std::int64_t next_virial(std::int64_t step) const noexcept {
    if (step >= last_) return last_ + 1;
    if (coupling_ > 0) {
      while (!virial(++step)) {
      }
      return step;
    }
    return energies_ > 0 ? std::min(last_, (step / energies_ + 1) * energies_) : last_;
  }
  bool frame(std::int64_t step) const noexcept { return frames_ > 0 && step % frames_ == 0; }

  /// Momentum is summed on one step and removed on the next, so that no object waits for the sum.
  /// Both steps are between two rebuilds, so this is never in progress at a checkpoint.
  bool sum_momentum(std::int64_t step) const noexcept {
    return com_ > 0 && step < last_ && step % com_interval() == 1 % com_interval();
  }
  bool remove_momentum(std::int64_t step) const noexcept {
    return step > first_ && sum_momentum(step - 1);
  }

  StepKind kind(std::int64_t step) const noexcept {
    const bool again = rebuild(step);
    return {.rebuild = again,
            .prune = again || step % rebuild_ % prune_ == 0,
            .energies = energies(step),
            .virial = virial(step)};
  }

 private:
  /// Rounded up to whole rebuild intervals.
  std::int64_t com_interval() const noexcept { return (com_ + rebuild_ - 1) / rebuild_ * rebuild_; }

  std::int64_t first_ = 0, last_ = 0, stop_ = -1, pause_ = 0;
  std::int64_t rebuild_ = 1, prune_ = 1, energies_ = 0, frames_ = 0, com_ = 0;
  std::int64_t coupling_ = 0, lag_ = 1, spacing_ = 1;
  std::int64_t trials_ = 0;
  std::int64_t pairs_ = 1, long_range_ = 1, all_forces_ = 1;
  bool measures_after_ = false;
  bool weighs_ = false;
};

}  // namespace fg::classical
