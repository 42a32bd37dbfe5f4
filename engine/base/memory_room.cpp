// SPDX-License-Identifier: BSD-3-Clause
#include "base/memory_room.hpp"

#include <sys/resource.h>

#include <cstddef>
#include <memory>
#include <string>

#include "base/error.hpp"

namespace fg {

namespace {

constexpr std::size_t room = std::size_t{512} << 10;
constexpr std::size_t page = 4096;
constexpr rlim_t least_limit = 2 * room;

[[gnu::noinline]] void touch_stack() noexcept {
  volatile std::byte used[room];
  // From the high end, since a stack grows downwards.
  for (std::size_t i = room; i >= page; i -= page) used[i - 1] = std::byte{};
}

}  // namespace

void require_room(std::size_t bytes) {
  const auto held = std::make_unique_for_overwrite<std::byte[]>(bytes);
  *static_cast<volatile std::byte*>(held.get()) = std::byte{};  // or it is never asked for
}

void grow_stack() {
  rlimit limit{};
  if (::getrlimit(RLIMIT_STACK, &limit) == 0 && limit.rlim_cur < least_limit)
    throw ResourceError({.what = "the limit of the stack is too low",
                         .value = std::to_string(limit.rlim_cur / 1024) + " kB",
                         .limit = "at least " + std::to_string(least_limit / 1024) + " kB",
                         .hint = "raise it: ulimit -s 8192"});
  require_room(2 * room);
  touch_stack();
}

}  // namespace fg
