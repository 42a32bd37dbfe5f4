// SPDX-License-Identifier: BSD-3-Clause
//
// When a state is kept in memory. A new state replaces the one before the last. So the last one
// must be complete in all processes, and a run must be able to continue from it.
#pragma once

#include <cstdint>
#include <utility>

namespace fg {

class MemoryTurns {
 public:
  MemoryTurns() = default;
  /// A state is `copies` records, those in partners counted too. Without `every` none is kept.
  MemoryTurns(std::int64_t every, std::int64_t copies) noexcept : every_(every), copies_(copies) {}

  /// Called at the first step of a run.
  void begin(std::int64_t step) noexcept {
    last_ = step;
    missing_ = 0;
  }
  /// `usable`: the results on disk reach far enough to continue from states up to this step.
  bool due(std::int64_t step, std::int64_t usable) const noexcept {
    return every_ > 0 && !failed_ && missing_ == 0 && step - last_ >= every_ && usable >= last_;
  }
  /// The state of this step is being kept.
  void start(std::int64_t step) noexcept {
    last_ = step;
    missing_ = copies_;
    started_ = true;
  }
  /// Whether a state has been started since this was asked last.
  bool take_started() noexcept { return std::exchange(started_, false); }
  /// One copy of one record is in memory.
  void kept(std::int64_t step) noexcept {
    if (step == last_) --missing_;
  }
  /// A process cannot keep any more, and nothing more is kept. True for the first one.
  bool fail() noexcept { return !std::exchange(failed_, true); }

 private:
  std::int64_t every_ = 0, copies_ = 0;
  std::int64_t last_ = 0;     // the step of the latest state, or the first step of the run
  std::int64_t missing_ = 0;  // copies of that state
  bool failed_ = false, started_ = false;
};

}  // namespace fg
