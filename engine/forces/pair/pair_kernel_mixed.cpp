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

PairFunctions<float> choose_mixed(int terms, LennardJonesKind kind) {
  return functions_with<float>(terms, kind);
}

EwaldChoices mixed_choices() {
  return choices_of<float>();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_mixed);
HWY_EXPORT(mixed_choices);

}  // namespace

template <>
PairFunctions<float> choose_pair_functions<float>(int terms, LennardJonesKind kind) {
  return HWY_DYNAMIC_DISPATCH(choose_mixed)(terms, kind);
}

template <>
EwaldChoices ewald_choices<float>() {
  return HWY_DYNAMIC_DISPATCH(mixed_choices)();
}

}  // namespace fg
#endif
