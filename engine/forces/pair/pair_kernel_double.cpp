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

PairFunctions<double> choose_double(int terms, LennardJonesKind kind, Bits bits) {
  return bits == Bits::portable ? functions_with<double, Bits::portable>(terms, kind)
                                : functions_with<double, Bits::fast>(terms, kind);
}

EwaldChoices double_choices() {
  return choices_of<double, Bits::fast>();
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
PairFunctions<double> choose_pair_functions<double>(int terms, LennardJonesKind kind, Bits bits) {
  return HWY_DYNAMIC_DISPATCH(choose_double)(terms, kind, bits);
}

template <>
EwaldChoices ewald_choices<double>(Bits /*bits*/) {
  return HWY_DYNAMIC_DISPATCH(double_choices)();
}

}  // namespace fg
#endif
