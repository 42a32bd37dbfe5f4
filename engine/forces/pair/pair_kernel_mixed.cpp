// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels for float.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/pair/pair_kernel_mixed.cpp"
#include <hwy/foreach_target.h>

#include "forces/pair/pair_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

PairFunctions<float> choose_mixed(int terms, bool switched) {
  if (terms == 11) return functions_of<float, 11>(switched);
  if (terms == 13) return functions_of<float, 13>(switched);
  if (terms == 24) return functions_of<float, 24>(switched);
  return functions_of<float, 0>(switched);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_mixed);

}  // namespace

template <>
PairFunctions<float> choose_pair_functions<float>(int terms, bool switched) {
  return HWY_DYNAMIC_DISPATCH(choose_mixed)(terms, switched);
}

}  // namespace fg
#endif
