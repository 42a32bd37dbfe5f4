// SPDX-License-Identifier: BSD-3-Clause
//
// Memory for messages, coroutine frames and mailbox nodes, one pool per PE thread.
// A block freed on another thread goes back to its owner through a lock-free list, which the owner
// empties in one exchange. So a PE takes no lock to free a block, and every block stays with its
// pool. Threads that are not PEs share one pool behind a mutex. Pools belong to the process: a
// message may outlive its runtime. Blocks are aligned to 64 bytes; sizes are in bytes.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "base/thread_local.hpp"

namespace fg {

class HostMemory;
class Pool;

/// What an allocation needs to know to return its memory.
struct Block {
  void* memory;
  Pool* owner;
  std::uint32_t size_class;
};

namespace pool_classes {
inline constexpr std::uint32_t count = 120;
/// Smallest class that holds `bytes`: multiples of 64 up to 512, then four classes per doubling.
std::uint32_t of(std::size_t bytes) noexcept;
std::size_t size(std::uint32_t size_class) noexcept;
}  // namespace pool_classes

class Pool {
 public:
  static constexpr std::size_t alignment = 64;

  Pool() = default;
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  /// A block from the calling thread's pool.
  static Block allocate(std::size_t bytes);
  /// Returns a block to its owner; may be called from any thread.
  static void release(const Block& block) noexcept;

  /// Gives an unused pool of the process to the calling thread, until `detach`. If the process has
  /// HostMemory, blocks of at least HostMemory::least_block come from there.
  static Pool& attach();
  static void detach() noexcept;

  /// Bytes taken from the system by all pools so far; constant in a steady state.
  static std::size_t reserved_bytes() noexcept;

 private:
  struct FreeNode {
    FreeNode* next;
    std::uint32_t size_class;
  };
  friend struct PoolRegistry;

  void* take(std::uint32_t size_class);
  void put(void* memory, std::uint32_t size_class) noexcept;
  void put_remote(void* memory, std::uint32_t size_class) noexcept;
  void* refill(std::uint32_t size_class);
  void collect_returns() noexcept;
  static Block allocate_shared(std::uint32_t size_class);

  FG_FAST_THREAD_LOCAL static constinit thread_local Pool* current_;

  std::array<FreeNode*, pool_classes::count> free_{};
  Pool* on_host_ = nullptr;       // stands in HostMemory itself and gives out blocks of it
  HostMemory* source_ = nullptr;  // where such a pool takes them
  alignas(64) std::atomic<FreeNode*> returned_{nullptr};
};

/// Owns one block of plain memory.
class PooledBytes {
 public:
  PooledBytes() = default;
  explicit PooledBytes(std::size_t bytes) : block_(Pool::allocate(bytes)) {}
  PooledBytes(PooledBytes&& other) noexcept : block_(other.block_) {
    other.block_.memory = nullptr;
  }
  PooledBytes& operator=(PooledBytes&& other) noexcept {
    std::swap(block_, other.block_);
    return *this;
  }
  ~PooledBytes() {
    if (block_.memory) Pool::release(block_);
  }
  void* data() const noexcept { return block_.memory; }

 private:
  Block block_{nullptr, nullptr, 0};
};

}  // namespace fg
