// SPDX-License-Identifier: BSD-3-Clause
//
// Counts calls of malloc and its kin by replacing them; include in one source of a test binary.
// Sanitizers bring their own malloc: under them `counts_allocations` is false.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace fg::test {

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
inline constexpr bool counts_allocations = true;
#else
inline constexpr bool counts_allocations = false;
#endif

inline std::atomic<std::uint64_t> allocations{0};

}  // namespace fg::test

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
extern "C" {
void* __libc_malloc(std::size_t bytes);
void* __libc_calloc(std::size_t n, std::size_t bytes);
void* __libc_realloc(void* memory, std::size_t bytes);
void* __libc_memalign(std::size_t alignment, std::size_t bytes);

void* malloc(std::size_t bytes) {
  fg::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_malloc(bytes);
}
void* calloc(std::size_t n, std::size_t bytes) {
  fg::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_calloc(n, bytes);
}
void* realloc(void* memory, std::size_t bytes) {
  fg::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_realloc(memory, bytes);
}
void* aligned_alloc(std::size_t alignment, std::size_t bytes) {
  fg::test::allocations.fetch_add(1, std::memory_order_relaxed);
  return __libc_memalign(alignment, bytes);
}
}
#endif
