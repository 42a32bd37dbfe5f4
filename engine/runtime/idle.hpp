// SPDX-License-Identifier: BSD-3-Clause
//
// What a PE does without work: it spins where it has a core to itself, yields the core where it may
// not, then sleeps in the kernel until a producer wakes it.
#pragma once

#include <atomic>
#include <cstdint>

namespace fg {

struct IdlePolicy {
  int spins;   // looks at the queue with pauses in between, the core kept
  int yields;  // looks with the core offered to others in between
  int nap;     // microseconds of sleep when there is also a network to look at
};

/// For so many PEs on the cores this process may use.
IdlePolicy idle_policy(int pes, int cores) noexcept;

/// Tells the core that this is a spin loop.
inline void pause_core() noexcept {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

/// A flag to sleep on. The consumer announces its sleep, looks at its queue once more, then sleeps;
/// a producer publishes its item, then looks at the flag. All of it is sequentially consistent, so
/// one of the two sees the other.
class SleepFlag {
 public:
  void announce() noexcept { flag_.store(1, std::memory_order_seq_cst); }
  void withdraw() noexcept { flag_.store(0, std::memory_order_relaxed); }
  /// Returns when woken, at once if `wake` has come since `announce`; may return for no reason.
  void sleep() noexcept;
  /// The same, for at most so long.
  void sleep_for(int microseconds) noexcept;
  void wake() noexcept {
    if (flag_.load(std::memory_order_seq_cst) != 0) wake_sleeper();
  }

 private:
  void wake_sleeper() noexcept;
  std::atomic<std::uint32_t> flag_{0};
};

}  // namespace fg
