// SPDX-License-Identifier: BSD-3-Clause
#include "transport/streaming_copy.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

namespace fg {

void copy_streaming(std::byte* to, const std::byte* from, std::size_t bytes) noexcept {
#if defined(__SSE2__)
  constexpr std::size_t line = 64;
  // Whole lines only; the parts of a line would be written to memory separately.
  const std::size_t offset = reinterpret_cast<std::uintptr_t>(to) % line;
  const std::size_t head = std::min(bytes, offset == 0 ? 0 : line - offset);
  std::memcpy(to, from, head);
  std::size_t done = head;
  for (; done + line <= bytes; done += line)
    for (std::size_t i = done; i < done + line; i += sizeof(__m128i))
      _mm_stream_si128(reinterpret_cast<__m128i*>(to + i),
                       _mm_loadu_si128(reinterpret_cast<const __m128i*>(from + i)));
  std::memcpy(to + done, from + done, bytes - done);
  _mm_sfence();
#else
  std::memcpy(to, from, bytes);
#endif
}

}  // namespace fg
