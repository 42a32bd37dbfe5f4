// SPDX-License-Identifier: BSD-3-Clause
//
// The SIMD targets that kernels are compiled for; include this before <hwy/foreach_target.h>. On
// x86 these are a portable baseline, SSE4, AVX2 and AVX-512. The targets left out have the same
// vectors and would only cost compile time.
//
// On 64-bit Arm the targets are NEON and SVE of 256 bits. NEON is compiled with the instructions
// for AES, which hardly any such processor lacks. SVE of any other length is left out. Kernels keep
// vectors in structs and arrays, so the compiler has to know their size (sized_vectors-inl.hpp).
// NEON has vectors as long as SVE of 128 bits.
#pragma once

#ifndef HWY_DISABLED_TARGETS
#if !defined(__aarch64__)
#define HWY_DISABLED_TARGETS (HWY_SSSE3 | HWY_AVX3_DL)
#elif defined(FG_SVE_256)
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE2_128)
#else
#define HWY_DISABLED_TARGETS (HWY_SVE | HWY_SVE2 | HWY_SVE2_128 | HWY_SVE_256)
#endif
#endif

#if defined(FG_SVE_256) && defined(__ARM_FEATURE_SVE)
#error "plain code must not use SVE where kernels are compiled for 256 bits: leave FG_SVE_256 out"
#endif

#include <cstdint>

namespace fg {

/// The target of the kernels that run on this processor, by Highway's number.
std::int64_t simd_target_in_use();

/// Whether products that go into sums are rounded with these on that target, not by themselves.
bool simd_target_rounds_once();

}  // namespace fg
