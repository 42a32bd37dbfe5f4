// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/waves.hpp"

#include <algorithm>

#include "runtime/runtime.hpp"

namespace fg {

namespace {
constexpr std::chrono::microseconds least_pause{20};
constexpr std::chrono::microseconds most_pause{1000};
}  // namespace

void Waves::begin_run() {
  const std::lock_guard lock(mutex_);
  stage_ = Stage::rest;
  pause_ = least_pause;
  next_ = {};
  stops_ = false;
  who_waits_.clear();
}

void Waves::begin() {
  if (network_.process() != 0) return;
  const std::unique_lock lock(mutex_, std::try_to_lock);
  if (!lock || stage_ != Stage::rest || runtime_.stopping() || Clock::now() < next_) return;
  stage_ = Stage::processed;
  missing_ = network_.processes() - 1;
  processed_ = runtime_.quiescence().processed(runtime_.all_pes());
  network_.tell_all(Network::Word::ask_processed);
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
  // Seldom while much goes on, often while little does.
  pause_ = processed_ == last_processed_ ? least_pause : std::min(2 * pause_, most_pause);
  last_processed_ = processed_;
  rest();
}

void Waves::rest() {
  stage_ = Stage::rest;
  next_ = Clock::now() + pause_;
}

void Waves::quiet() {
  missing_ = network_.processes() - 1;
  if (requests_ > 0) {
    // The next wave begins when all have sent theirs, so none of them is taken for another quiet's.
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
