// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels for double.
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/pair/pair_kernel_double.cpp"
#include <hwy/foreach_target.h>

#include "forces/pair/pair_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

PairFunctions<double> choose_double(int terms, LennardJonesKind kind) {
  return functions_with<double>(terms, kind);
}

EwaldChoices double_choices() {
  return choices_of<double>();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_double);
HWY_EXPORT(double_choices);

}  // namespace

template <>
PairFunctions<double> choose_pair_functions<double>(int terms, LennardJonesKind kind) {
  return HWY_DYNAMIC_DISPATCH(choose_double)(terms, kind);
}

template <>
EwaldChoices ewald_choices<double>() {
  return HWY_DYNAMIC_DISPATCH(double_choices)();
}

}  // namespace fg
#endif
