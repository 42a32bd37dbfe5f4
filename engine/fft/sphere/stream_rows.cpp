// SPDX-License-Identifier: BSD-3-Clause
#include "fft/sphere/stream_rows.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/sphere/stream_rows.cpp"
#include <hwy/cache_control.h>
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

void stream_float_rows(const float* from, float* to, std::size_t rows, std::size_t size,
                       std::ptrdiff_t apart) {
  const hn::ScalableTag<float> d;
  for (std::size_t row = 0; row < rows; ++row, from += size, to += apart)
    for (std::size_t i = 0; i < size; i += hn::Lanes(d))
      hn::Stream(hn::Load(d, from + i), d, to + i);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {
namespace {

HWY_EXPORT(stream_float_rows);

}  // namespace

void stream_rows(const void* from, void* to, std::size_t rows, std::size_t bytes,
                 std::ptrdiff_t apart) noexcept {
  // Bits are copied, whatever numbers they are.
  HWY_DYNAMIC_DISPATCH(stream_float_rows)
  (static_cast<const float*>(from), static_cast<float*>(to), rows, bytes / sizeof(float),
   apart / std::ptrdiff_t{sizeof(float)});
}

void end_streams() noexcept {
  hwy::FlushStream();
}

}  // namespace fg::fft
#endif
