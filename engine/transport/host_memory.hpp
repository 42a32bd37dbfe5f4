// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for large messages that all processes of a host map at the same addresses. So a message
// goes to another process by its address. Each process has a slice of it, which only its own pools
// give out. A block that another process releases goes back through the list of its owner, as
// between threads. The memory belongs to the process and is never unmapped, because a message may
// outlive its transport. The system provides pages only where a slice is used.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>

namespace fg {

class HostMemory {
 public:
  /// Smaller messages are copied: that takes less time than to hand over their cache lines.
  static constexpr std::size_t least_block = 8192;

  /// False under the sanitizer of threads, which allows no such addresses.
#if defined(__SANITIZE_THREAD__)
  static constexpr bool possible = false;
#else
  static constexpr bool possible = true;
#endif

  /// What the others need in order to map the slice of a process.
  struct Handle {
    std::int64_t process = 0;  // as the system numbers it
    std::int64_t file = -1;    // open file of that process
    std::uint64_t secret = 0;  // stands at the beginning of the slice
  };

  /// Addresses for all processes of a host; null if they are not free in this process. Each try
  /// has other addresses, which are the same in all processes.
  static std::unique_ptr<HostMemory> reserve(int processes, int here, int tries_before);
  static constexpr int most_tries = 4;

  ~HostMemory();
  HostMemory(const HostMemory&) = delete;
  HostMemory& operator=(const HostMemory&) = delete;

  /// Makes the slice of this process; its handle has no file if that is impossible.
  Handle make_slice();
  /// Maps the slice of another process. Returns false if that is impossible, for instance because
  /// it is in a container of its own.
  bool map_slice(int process, const Handle& handle) noexcept;
  /// Called when all have mapped all. `group` is not zero and differs between groups of processes.
  static void install(std::unique_ptr<HostMemory> memory, std::uint64_t group) noexcept;

  /// The memory of this process, or null.
  static HostMemory* installed() noexcept { return installed_; }
  /// Whether other processes of the group find the same bytes at this address.
  static bool contains(const void* address) noexcept {
    return reinterpret_cast<std::uintptr_t>(address) - begin_ < bytes_;
  }
  std::uint64_t group() const noexcept { return group_; }

  /// Unused memory of the own slice. Throws std::bad_alloc.
  void* take(std::size_t bytes);
  /// Bytes taken so far.
  std::size_t taken() const noexcept;

 private:
  HostMemory(std::byte* begin, std::size_t slice, int processes, int here) noexcept
      : memory_(begin), slice_(slice), processes_(processes), here_(here) {}
  std::size_t bytes_of_all() const noexcept {
    return slice_ * static_cast<std::size_t>(processes_);
  }
  std::byte* slice_of(int process) const noexcept {
    return memory_ + static_cast<std::size_t>(process) * slice_;
  }

  static HostMemory* installed_;
  static std::uintptr_t begin_;
  static std::size_t bytes_;

  std::byte* memory_;
  std::size_t slice_;
  int processes_, here_;
  int file_ = -1;
  std::uint64_t group_ = 0;
  mutable std::mutex mutex_;
  std::size_t used_ = 0;
};

}  // namespace fg
