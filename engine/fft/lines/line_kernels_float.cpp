// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of lines for float.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/lines/line_kernels_float.cpp"
#include <hwy/foreach_target.h>

#include "fft/lines/line_groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

void transform_float_lines(const LineJob<float>& job) {
  LineGroups<float>(job).run();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {
namespace {

HWY_EXPORT(transform_float_lines);

}  // namespace

template <>
void transform_lines(const LineJob<float>& job) noexcept {
  HWY_DYNAMIC_DISPATCH(transform_float_lines)(job);
}

}  // namespace fg::fft
#endif
