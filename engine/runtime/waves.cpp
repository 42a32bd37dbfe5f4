// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/waves.hpp"

#include <algorithm>
#include <limits>

#include "runtime/runtime.hpp"

namespace fg {

namespace {
constexpr double least_pause = 20e-6, most_pause = 1e-3;  // seconds
// While quiet is not expected. It may still come, by an error.
constexpr double rare_pause = 1;
constexpr double infinity = std::numeric_limits<double>::infinity();
}  // namespace

void Waves::begin_run() {
  const std::lock_guard lock(mutex_);
  stage_ = Stage::rest;
  pause_ = least_pause;
  next_ = runtime_.expects_quiet() ? 0 : network_.transport().seconds() + rare_pause;
  stops_ = false;
  who_waits_.clear();
}

double Waves::begin() {
  if (network_.process() != 0 || !runtime_.looks_for_quiet()) return infinity;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || stage_ != Stage::rest || runtime_.stopping()) return infinity;
  // A single thread would have to look at the clock all the time. The simulator of a machine says
  // itself when no process goes on.
  if (!runtime_.expects_quiet() && runtime_.single_threaded()) return infinity;
  if (const double now = network_.transport().seconds(); now < next_) return next_ - now;
  stage_ = Stage::processed;
  missing_ = network_.processes() - 1;
  processed_ = runtime_.quiescence().processed(runtime_.all_pes());
  network_.tell_all(Network::Word::ask_processed);
  return infinity;
}

void Waves::processed(std::uint64_t messages) {
  const std::lock_guard lock(mutex_);
  processed_ += messages;
  if (--missing_ > 0) return;
  stage_ = Stage::sent;
  missing_ = network_.processes() - 1;
  sent_ = runtime_.quiescence().sent(runtime_.all_pes());
  requests_ = runtime_.quiescence().requests();
  network_.tell_all(Network::Word::ask_sent);
}

void Waves::sent(std::uint64_t messages, int requests) {
  const std::lock_guard lock(mutex_);
  sent_ += messages;
  if (requests == stops) {
    stops_ = true;
  } else {
    requests_ += static_cast<std::size_t>(requests);
  }
  if (--missing_ > 0) return;
  if (stops_) return;
  if (sent_ == processed_) {
    quiet();
    return;
  }
  // The pause grows while messages are processed, and is short when none are.
  pause_ = processed_ == last_processed_ ? least_pause : std::min(2 * pause_, most_pause);
  last_processed_ = processed_;
  rest();
}

void Waves::rest() {
  stage_ = Stage::rest;
  next_ = network_.transport().seconds() + (runtime_.expects_quiet() ? pause_ : rare_pause);
}

void Waves::expect_quiet() noexcept {
  const std::lock_guard lock(mutex_);
  next_ = 0;
}

void Waves::quiet() {
  missing_ = network_.processes() - 1;
  if (requests_ > 0) {
    // The next wave begins only when all processes have sent their messages, so that they are not
    // counted in another wave.
    stage_ = Stage::firing;
    network_.tell_all(Network::Word::fire);
    runtime_.fire_requests();
  } else if (runtime_.runs_until_quiescent()) {
    runtime_.stop();
  } else if (runtime_.deadlock_is_error()) {
    stage_ = Stage::waiting;
    who_waits_ = runtime_.describe_waiting();
    network_.tell_all(Network::Word::ask_waiting);
  } else {
    pause_ = most_pause;
    rest();
  }
}

void Waves::fired() {
  const std::lock_guard lock(mutex_);
  if (--missing_ > 0) return;
  pause_ = least_pause;
  rest();
}

void Waves::waiting(const std::string& who) {
  const std::lock_guard lock(mutex_);
  if (!who.empty()) who_waits_ += (who_waits_.empty() ? "" : "; ") + who;
  if (--missing_ > 0) return;
  runtime_.fail(std::make_exception_ptr(Runtime::deadlock(who_waits_)));
}

}  // namespace fg
