// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of an array that is larger than the second cache, written past all caches. A transform along
// x writes pieces of two cache lines far apart. If each line has to be read before it is written,
// that takes several times as long as the arithmetic.
#pragma once

#include <cstddef>

#include "base/aligned_vector.hpp"

namespace fg::fft {

/// Rows of `bytes` from one place of a dense array each to places `apart` bytes apart. Both arrays,
/// and both distances, are multiples of simd_alignment.
void stream_rows(const void* from, void* to, std::size_t rows, std::size_t bytes,
                 std::ptrdiff_t apart) noexcept;

/// Called after the last of them: what is written is there for other threads.
void end_streams() noexcept;

constexpr bool begins_line(std::ptrdiff_t bytes) noexcept {
  return bytes % static_cast<std::ptrdiff_t>(simd_alignment) == 0;
}

}  // namespace fg::fft
