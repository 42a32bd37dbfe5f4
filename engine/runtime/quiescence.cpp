// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/quiescence.hpp"

#include <utility>

#include "runtime/scheduler.hpp"

namespace fg {

void Quiescence::request(const Request& request) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  requested_.store(true, std::memory_order_release);
}

bool Quiescence::quiet(std::span<const std::unique_ptr<Pe>> pes) noexcept {
  // Atomic read-modify-writes of one variable have a single order. So the last PE that comes here
  // sees what the others had counted before.
  turns_.fetch_add(1, std::memory_order_acq_rel);
  const std::uint64_t done = processed(pes);
  return sent(pes) == done;
}

std::uint64_t Quiescence::processed(std::span<const std::unique_ptr<Pe>> pes) const noexcept {
  std::uint64_t sum = handled_.load(std::memory_order_acquire);
  for (const auto& pe : pes) sum += pe->counts().processed_total();
  return sum;
}

std::uint64_t Quiescence::sent(std::span<const std::unique_ptr<Pe>> pes) const noexcept {
  std::uint64_t sum = outside_.load(std::memory_order_acquire);
  for (const auto& pe : pes) sum += pe->counts().sent_total();
  return sum;
}

std::size_t Quiescence::requests() {
  const std::lock_guard lock(mutex_);
  return requests_.size();
}

std::vector<Quiescence::Request> Quiescence::take_requests() {
  requested_.store(false, std::memory_order_relaxed);
  return std::exchange(requests_, {});
}

}  // namespace fg
