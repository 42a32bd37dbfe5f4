// SPDX-License-Identifier: BSD-3-Clause
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "base/simd_targets.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

std::int64_t target_of_this_copy() {
  return HWY_TARGET;
}

/// Whether the functions of fused-inl.hpp round once.
bool rounds_once() {
  return HWY_NATIVE_FMA != 0 || HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {
HWY_EXPORT(target_of_this_copy);
HWY_EXPORT(rounds_once);
}  // namespace

std::int64_t simd_target_in_use() {
  return HWY_DYNAMIC_DISPATCH(target_of_this_copy)();
}

bool simd_target_rounds_once() {
  return HWY_DYNAMIC_DISPATCH(rounds_once)();
}

}  // namespace fg
#endif
