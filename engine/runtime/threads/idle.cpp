// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/threads/idle.hpp"

#include <linux/futex.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

namespace fg {

IdlePolicy idle_policy(int pes, int cores) noexcept {
  // Spins for about 100 us: most waits inside a time step are shorter, and a sleep costs the waker
  // several microseconds. With more PEs than cores it sleeps at once. It never yields: since Linux
  // 6.18 each yield puts a thread behind the others of its core by a whole time slice, so that
  // beside other work the next message waits for milliseconds. A sleeper is woken at once.
  if (pes <= cores) return {1600, 50};
  return {0, 200};
}

void SleepFlag::sleep() noexcept {
  syscall(SYS_futex, &flag_, FUTEX_WAIT_PRIVATE, 1, nullptr, nullptr, 0);
  flag_.store(0, std::memory_order_relaxed);
}

void SleepFlag::sleep_for(int microseconds) noexcept {
  const timespec most{0, 1000L * microseconds};
  syscall(SYS_futex, &flag_, FUTEX_WAIT_PRIVATE, 1, &most, nullptr, 0);
  flag_.store(0, std::memory_order_relaxed);
}

void SleepFlag::wake_sleeper() noexcept {
  if (flag_.exchange(0, std::memory_order_seq_cst) != 0)
    syscall(SYS_futex, &flag_, FUTEX_WAKE_PRIVATE, 1, nullptr, nullptr, 0);
}

}  // namespace fg
