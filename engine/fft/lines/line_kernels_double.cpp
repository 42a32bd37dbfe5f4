// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels of lines for double.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/lines/line_kernels_double.cpp"
#include <hwy/foreach_target.h>

#include "fft/lines/line_groups-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

void transform_double_lines(const LineJob<double>& job) {
  LineGroups<double>(job).run();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {
namespace {

HWY_EXPORT(transform_double_lines);

}  // namespace

template <>
void transform_lines(const LineJob<double>& job) noexcept {
  HWY_DYNAMIC_DISPATCH(transform_double_lines)(job);
}

}  // namespace fg::fft
#endif
