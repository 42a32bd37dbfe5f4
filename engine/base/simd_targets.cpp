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

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {
HWY_EXPORT(target_of_this_copy);
}  // namespace

std::int64_t simd_target_in_use() {
  return HWY_DYNAMIC_DISPATCH(target_of_this_copy)();
}

}  // namespace fg
#endif
