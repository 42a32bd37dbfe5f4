// SPDX-License-Identifier: BSD-3-Clause
#include "base/sha256_blocks.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace fg::sha256 {

#if defined(__x86_64__)

namespace {

bool ask_processor() noexcept {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  return (b & bit_SHA) != 0 && __builtin_cpu_supports("sse4.1");
}

/// The instructions keep the eight words of the state, a to h, as two vectors: (f, e, b, a) and (h,
/// g, d, c). They do two rounds at once, and make four words of the schedule from the last 16.
[[gnu::target("sha,sse4.1")]] void absorb_by_instructions(State& state, const std::byte* blocks,
                                                          std::size_t count) noexcept {
  const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
  auto* const words = reinterpret_cast<__m128i*>(state.data());
  const __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(words), 0x1b);      // d, c, b, a
  const __m128i efgh = _mm_shuffle_epi32(_mm_loadu_si128(words + 1), 0x1b);  // h, g, f, e
  __m128i feba = _mm_unpackhi_epi64(efgh, abcd);
  __m128i hgdc = _mm_unpacklo_epi64(efgh, abcd);
  for (; count > 0; --count, blocks += block_size) {
    const __m128i feba_before = feba, hgdc_before = hgdc;
    __m128i w[4];
#pragma GCC unroll 16
    for (int group = 0; group < 16; ++group) {  // of four rounds
      __m128i& now = w[group % 4];
      const __m128i last = w[(group + 3) % 4];
      if (group < 4) {
        const auto* const from = reinterpret_cast<const __m128i*>(blocks) + group;
        now = _mm_shuffle_epi8(_mm_loadu_si128(from), big_endian);
      } else {
        const __m128i some = _mm_sha256msg1_epu32(now, w[(group + 1) % 4]);
        const __m128i seven_back = _mm_alignr_epi8(last, w[(group + 2) % 4], 4);
        now = _mm_sha256msg2_epu32(_mm_add_epi32(some, seven_back), last);
      }
      const auto* const constants = reinterpret_cast<const __m128i*>(round_constants.data());
      const __m128i sums = _mm_add_epi32(now, _mm_load_si128(constants + group));
      hgdc = _mm_sha256rnds2_epu32(hgdc, feba, sums);
      feba = _mm_sha256rnds2_epu32(feba, hgdc, _mm_shuffle_epi32(sums, 0x0e));
    }
    feba = _mm_add_epi32(feba, feba_before);
    hgdc = _mm_add_epi32(hgdc, hgdc_before);
  }
  _mm_storeu_si128(words, _mm_shuffle_epi32(_mm_unpackhi_epi64(hgdc, feba), 0x1b));
  _mm_storeu_si128(words + 1, _mm_shuffle_epi32(_mm_unpacklo_epi64(hgdc, feba), 0x1b));
}

}  // namespace

bool has_instructions() noexcept {
  static const bool found = ask_processor();
  return found;
}

void absorb(State& state, const std::byte* blocks, std::size_t count) noexcept {
  if (has_instructions())
    absorb_by_instructions(state, blocks, count);
  else
    reference::absorb(state, blocks, count);
}

#else

bool has_instructions() noexcept {
  return false;
}

void absorb(State& state, const std::byte* blocks, std::size_t count) noexcept {
  reference::absorb(state, blocks, count);
}

#endif

}  // namespace fg::sha256
