// SPDX-License-Identifier: BSD-3-Clause
//
// A std::vector whose first element starts a cache line, as SIMD loads require. Large ones ask for
// huge pages, which are taken into use much faster.
#pragma once

#include <sys/mman.h>

#include <cstddef>
#include <new>
#include <vector>

namespace fg {

inline constexpr std::size_t simd_alignment = 64;
inline constexpr std::size_t huge_page = std::size_t{2} << 20;

template <class T>
struct AlignedAllocator {
  using value_type = T;

  AlignedAllocator() noexcept = default;
  template <class U>
  AlignedAllocator(const AlignedAllocator<U>&) noexcept {}

  T* allocate(std::size_t n) {
    const std::size_t bytes = n * sizeof(T);
    void* const memory = ::operator new(bytes, alignment(bytes));
    // Without huge pages it is slower, and no less right.
    if (bytes >= 2 * huge_page) static_cast<void>(madvise(memory, bytes, MADV_HUGEPAGE));
    return static_cast<T*>(memory);
  }
  void deallocate(T* p, std::size_t n) noexcept { ::operator delete(p, alignment(n * sizeof(T))); }
  template <class U>
  bool operator==(const AlignedAllocator<U>&) const noexcept {
    return true;
  }

 private:
  static constexpr std::align_val_t alignment(std::size_t bytes) noexcept {
    return std::align_val_t{bytes >= 2 * huge_page ? huge_page : simd_alignment};
  }
};

template <class T>
using AlignedVector = std::vector<T, AlignedAllocator<T>>;

}  // namespace fg
