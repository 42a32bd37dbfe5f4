// SPDX-License-Identifier: BSD-3-Clause
#include "transport/pool.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <mutex>
#include <new>
#include <utility>
#include <vector>

#include "base/round_up.hpp"
#include "transport/host_memory.hpp"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#endif

namespace fg {

namespace pool_classes {

std::uint32_t of(std::size_t bytes) noexcept {
  if (bytes <= 512) return bytes == 0 ? 0 : static_cast<std::uint32_t>((bytes - 1) / 64);
  const auto octave = static_cast<std::uint32_t>(std::bit_width(bytes - 1)) - 10;  // 0: 513..1024
  const std::size_t base = std::size_t{512} << octave;
  const auto quarter = static_cast<std::uint32_t>((bytes - 1 - base) / (base / 4));
  return 8 + 4 * octave + quarter;
}

std::size_t size(std::uint32_t size_class) noexcept {
  if (size_class < 8) return 64 * (std::size_t{size_class} + 1);
  const std::size_t base = std::size_t{512} << ((size_class - 8) / 4);
  return base + ((size_class - 8) % 4 + 1) * (base / 4);
}

}  // namespace pool_classes

constinit thread_local Pool* Pool::current_ = nullptr;

/// The pools of the process. Never destroyed, so that a late release finds its owner.
struct PoolRegistry {
  std::mutex mutex;
  std::vector<Pool*> idle;
  std::size_t made = 0;  // pools; `idle` always has room for all of them
  std::vector<void*> arenas;
  char* arena = nullptr;  // the rest of the last arena
  std::size_t left = 0;   // bytes
  std::mutex shared_mutex;
  Pool shared;
  std::atomic<std::size_t> reserved{0};

  static PoolRegistry& instance() {
    static PoolRegistry* const registry = new PoolRegistry;
    return *registry;
  }

  /// Takes memory from arenas on huge pages, if the system has them. The heads of buffers would
  /// otherwise touch many pages. Arenas grow with what there is. The rest of an arena that is too
  /// small for the next block is lost. Without growth, blocks of 1.1 MB would each take a huge page
  /// of their own.
  void* reserve(std::size_t bytes) {
    constexpr std::size_t huge = std::size_t{2} << 20, largest_growth = std::size_t{64} << 20;
    const std::lock_guard lock(mutex);
    if (bytes > left) {
      const std::size_t growth =
          std::min(reserved.load(std::memory_order_relaxed) / 4, largest_growth);
      const std::size_t size = round_up(std::max(bytes, growth), huge);
      arenas.reserve(arenas.size() + 1);
      auto* const next = static_cast<char*>(std::aligned_alloc(huge, size));
      if (!next) throw std::bad_alloc();
      madvise(next, size, MADV_HUGEPAGE);
      arenas.push_back(next);
      arena = next;
      left = size;
      reserved.fetch_add(size, std::memory_order_relaxed);
    }
    left -= bytes;
    return std::exchange(arena, arena + bytes);
  }
};

namespace {

/// From this size on, a block of up to twice the size may be taken if there is none of the right
/// size. Memory that is used for the first time costs more than what stays unused at its end.
constexpr std::size_t shared_from = std::size_t{256} << 10;
constexpr std::uint32_t classes_of_doubling = 4;

/// The sanitizer of addresses reports who touches a free block. It keeps its record in each process
/// apart, so it cannot know of blocks that other processes use.
#if defined(__SANITIZE_ADDRESS__)
void forbid(void* block, std::size_t head, std::size_t bytes) noexcept {
  if (!HostMemory::contains(block))
    ASAN_POISON_MEMORY_REGION(static_cast<char*>(block) + head, bytes - head);
}
void allow(void* block, std::size_t bytes) noexcept {
  ASAN_UNPOISON_MEMORY_REGION(block, bytes);
}
#else
void forbid(void*, std::size_t, std::size_t) noexcept {}
void allow(void*, std::size_t) noexcept {}
#endif

}  // namespace

Block Pool::allocate(std::size_t bytes) {
  std::uint32_t size_class = pool_classes::of(bytes);
  if (size_class >= pool_classes::count) throw std::bad_alloc();
  Pool* pool = current_;
  if (!pool) [[unlikely]]
    return allocate_shared(size_class);
  if (bytes >= HostMemory::least_block && pool->on_host_) pool = pool->on_host_;
  if (bytes >= shared_from && !pool->free_[size_class]) {
    pool->collect_returns();
    const std::uint32_t last = std::min(size_class + classes_of_doubling, pool_classes::count - 1);
    for (std::uint32_t larger = size_class; larger <= last; ++larger)
      if (pool->free_[larger]) {
        size_class = larger;
        break;
      }
  }
  return {pool->take(size_class), pool, size_class};
}

Block Pool::allocate_shared(std::uint32_t size_class) {
  PoolRegistry& registry = PoolRegistry::instance();
  const std::lock_guard lock(registry.shared_mutex);
  return {registry.shared.take(size_class), &registry.shared, size_class};
}

void Pool::release(const Block& block) noexcept {
  if (block.owner == current_) [[likely]] {
    block.owner->put(block.memory, block.size_class);
  } else {
    block.owner->put_remote(block.memory, block.size_class);
  }
}

void* Pool::take(std::uint32_t size_class) {
  FreeNode* node = free_[size_class];
  if (!node) [[unlikely]] {
    collect_returns();
    node = free_[size_class];
    if (!node) return refill(size_class);
  }
  free_[size_class] = node->next;
  __builtin_prefetch(node->next, 1);  // the next taker reads where the one after it is
  allow(node, pool_classes::size(size_class));
  return node;
}

void Pool::put(void* memory, std::uint32_t size_class) noexcept {
  free_[size_class] = new (memory) FreeNode{free_[size_class], size_class};
  forbid(memory, sizeof(FreeNode), pool_classes::size(size_class));
}

void Pool::put_remote(void* memory, std::uint32_t size_class) noexcept {
  FreeNode* const node =
      new (memory) FreeNode{returned_.load(std::memory_order_relaxed), size_class};
  forbid(memory, sizeof(FreeNode), pool_classes::size(size_class));
  while (!returned_.compare_exchange_weak(node->next, node, std::memory_order_release,
                                          std::memory_order_relaxed)) {
  }
}

void Pool::collect_returns() noexcept {
  FreeNode* node = returned_.exchange(nullptr, std::memory_order_acquire);
  while (node) {
    FreeNode* const next = node->next;
    node->next = free_[node->size_class];
    free_[node->size_class] = node;
    node = next;
  }
}

/// The distance between large blocks is one cache line more than their size. Otherwise the heads of
/// all blocks, which every message touches, would share a few cache sets.
void* Pool::refill(std::uint32_t size_class) {
  const std::size_t bytes = pool_classes::size(size_class);
  const bool large = bytes > 1024;
  const std::size_t slab_bytes = large ? 262144 : 65536;
  const std::size_t apart = large ? bytes + alignment : bytes;
  const std::size_t blocks = std::max<std::size_t>(1, slab_bytes / apart);
  char* const slab = static_cast<char*>(source_ ? source_->take(blocks * apart)
                                                : PoolRegistry::instance().reserve(blocks * apart));
  for (std::size_t i = blocks; i-- > 1;) put(slab + i * apart, size_class);
  return slab;
}

Pool& Pool::attach() {
  PoolRegistry& registry = PoolRegistry::instance();
  const std::lock_guard lock(registry.mutex);
  if (registry.idle.empty()) {
    registry.idle.reserve(registry.made + 1);  // here, because `detach` must not fail
    current_ = new Pool;
    ++registry.made;
  } else {
    current_ = registry.idle.back();
    registry.idle.pop_back();
  }
  if (HostMemory* const host = HostMemory::installed(); host && !current_->on_host_) {
    current_->on_host_ = new (host->take(sizeof(Pool))) Pool;
    current_->on_host_->source_ = host;
  }
  return *current_;
}

void Pool::detach() noexcept {
  PoolRegistry& registry = PoolRegistry::instance();
  const std::lock_guard lock(registry.mutex);
  registry.idle.push_back(std::exchange(current_, nullptr));
}

std::size_t Pool::reserved_bytes() noexcept {
  const HostMemory* const host = HostMemory::installed();
  return PoolRegistry::instance().reserved.load(std::memory_order_relaxed) +
         (host ? host->taken() : 0);
}

}  // namespace fg
