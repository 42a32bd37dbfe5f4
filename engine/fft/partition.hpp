// SPDX-License-Identifier: BSD-3-Clause
//
// The only rule for dividing indices into parts: parts are consecutive, and their sizes differ by
// at most one. All code that needs to know which part owns an index uses these functions.
#pragma once

#include <cstdint>

namespace fg::fft {

/// Indices begin, begin + 1, ..., end - 1.
struct Range {
  int begin = 0;
  int end = 0;

  constexpr int size() const noexcept { return end - begin; }
  constexpr bool contains(int index) const noexcept { return begin <= index && index < end; }
  friend constexpr bool operator==(const Range&, const Range&) noexcept = default;
};

/// The indices of 0 .. count - 1 that part `part` of `parts` owns; empty for some if parts > count.
constexpr Range share(int count, int parts, int part) noexcept {
  const auto cut = [&](std::int64_t p) { return static_cast<int>(count * p / parts); };
  return {cut(part), cut(part + 1)};
}

/// The part that owns `index`.
constexpr int owner(int count, int parts, int index) noexcept {
  // The last part whose first index floor(count * p / parts) is at most `index`.
  return static_cast<int>(((index + std::int64_t{1}) * parts - 1) / count);
}

/// The non-negative remainder of index / count.
constexpr int wrap(int index, int count) noexcept {
  const int r = index % count;
  return r < 0 ? r + count : r;
}

}  // namespace fg::fft
