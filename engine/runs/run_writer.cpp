// SPDX-License-Identifier: BSD-3-Clause
#include "runs/run_writer.hpp"

#include <atomic>
#include <thread>

#include "processes/ranks.hpp"

namespace fg {

namespace {

constexpr auto patience = std::chrono::milliseconds(200);

/// After a failure the objects stop at the next rebuild, and the failure is reported. Nothing more
/// is written: results after a gap would be useless, and a checkpoint would be beyond the gap.
class Attempts {
 public:
  explicit Attempts(OutputSignals& signals) : signals_(signals) {}

  template <class Work>
  void make(Work&& work) {
    if (failure_) return;
    try {
      work();
    } catch (...) {
      failure_ = std::current_exception();
      signals_.stop_wanted = true;
    }
  }
  const std::exception_ptr& failure() const noexcept { return failure_; }

 private:
  OutputSignals& signals_;
  std::exception_ptr failure_;
};

}  // namespace

Written run_and_write(Calculation& calculation, const Transport* transport, WallTime& limit,
                      const OnProgress& on_progress) {
  OutputSignals& signals = calculation.signals();
  const JobFacts facts = calculation.facts();
  std::exception_ptr failure;
  const double start = seconds_now(transport);
  std::thread worker = beside(transport, [&] {
    try {
      calculation.run();
    } catch (...) {
      failure = std::current_exception();
    }
    signals.finish();
  });
  const auto tell = [&] {
    if (!on_progress) return;
    Progress progress{.step = signals.step.load(std::memory_order_relaxed),
                      .steps = facts.steps,
                      .seconds = seconds_now(transport) - start};
    calculation.describe(progress);
    if (!on_progress(progress)) signals.stop_wanted = true;
  };
  Attempts attempts(signals);
  auto saved = Clock::now(), told = saved;
  while (!signals.finished()) {
    if (attempts.failure())
      calculation.drop_outputs(patience);
    else
      attempts.make([&] { calculation.write_outputs(patience); });
    if (facts.checkpoint_seconds > 0 && seconds_since(saved) >= facts.checkpoint_seconds) {
      signals.checkpoint_wanted = true;
      saved = Clock::now();
    }
    if (limit.over()) signals.stop_wanted = true;
    if (Clock::now() - told < patience && !signals.finished()) continue;
    told = Clock::now();
    attempts.make(tell);
  }
  if (worker.joinable()) worker.join();
  const std::exception_ptr of_writing = attempts.failure();
  // What was reported before the failure has no gap.
  if (failure) attempts.make([&] { calculation.write_outputs(std::chrono::milliseconds(0)); });
  return {.seconds = seconds_now(transport) - start, .failure = of_writing ? of_writing : failure};
}

}  // namespace fg
