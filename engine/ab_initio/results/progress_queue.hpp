// SPDX-License-Identifier: BSD-3-Clause
//
// Iterations and steps on their way to the thread that writes results.
#pragma once

#include <atomic>
#include <cstdint>
#include <utility>
#include <variant>

#include "ab_initio/job/dynamics_advice.hpp"
#include "ab_initio/results/dynamics_step.hpp"
#include "ab_initio/results/ground_state.hpp"
#include "records/trajectory/output_queue.hpp"

namespace fg::ab_initio {

/// Asks for everything before it to be made safe.
struct SafetyRequest {
  std::int64_t number = 0;
};

using ProgressReport = std::variant<Iteration, DynamicsAdvice, DynamicsStep, SafetyRequest>;

class ProgressQueue : public QueueOf<ProgressReport> {
 public:
  /// Waits until the thread that takes the results has made safe what was pushed before; false if
  /// it cannot. One thread asks.
  bool make_safe() {
    push(SafetyRequest{++requests_});
    for (std::int64_t known = answered_.load(); known < requests_; known = answered_.load())
      answered_.wait(known);
    return !lost_.load();
  }
  /// The answer.
  void say_safe(const SafetyRequest& request, bool is_safe) {
    if (!is_safe) lost_.store(true);
    answered_.store(request.number);
    answered_.notify_all();
  }

 private:
  std::int64_t requests_ = 0;
  std::atomic<std::int64_t> answered_{0};
  std::atomic<bool> lost_{false};
};

}  // namespace fg::ab_initio
