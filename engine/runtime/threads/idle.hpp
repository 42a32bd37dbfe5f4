// SPDX-License-Identifier: BSD-3-Clause
//
// What a PE does without work. If it has its own core, it spins first. Then it sleeps in the kernel
// until a producer wakes it.
#pragma once

#include <atomic>
#include <cstdint>

namespace fg {

struct IdlePolicy {
  int spins;  // looks at the queue with pauses in between
  int nap;    // microseconds of sleep if the network also has to be polled
};

/// The policy for this number of PEs on the cores that this process may use.
IdlePolicy idle_policy(int pes, int cores) noexcept;

/// Tells the core that this is a spin loop.
inline void pause_core() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A flag to sleep on. The consumer announces its sleep, looks at its queue once more, then sleeps.
/// A producer publishes its item, then looks at the flag. All these accesses are sequentially
/// consistent, so at least one of the two sees the other.
class SleepFlag {
 public:
  void announce() noexcept { flag_.store(1, std::memory_order_seq_cst); }
  void withdraw() noexcept { flag_.store(0, std::memory_order_relaxed); }
  /// Returns when woken, or at once if `wake` was called since `announce`; it may also return
  /// without a reason.
  void sleep() noexcept;
  /// The same, for at most this time.
  void sleep_for(int microseconds) noexcept;
  void wake() noexcept {
    if (flag_.load(std::memory_order_seq_cst) != 0) wake_sleeper();
  }

 private:
  void wake_sleeper() noexcept;
  std::atomic<std::uint32_t> flag_{0};
};

}  // namespace fg
