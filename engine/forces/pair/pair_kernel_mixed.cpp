// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels for float, and the choice between these and those with portable bits.
#include "forces/pair/pair_kernel_portable.hpp"
// This must come before foreach_target.h.
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
  return functions_with<float, Bits::fast>(terms, kind);
}

EwaldChoices mixed_choices() {
  return choices_of<float, Bits::fast>();
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
PairFunctions<float> choose_pair_functions<float>(int terms, LennardJonesKind kind, Bits bits) {
  if (bits == Bits::portable) return choose_portable_functions(terms, kind);
  return HWY_DYNAMIC_DISPATCH(choose_mixed)(terms, kind);
}

template <>
EwaldChoices ewald_choices<float>(Bits bits) {
  if (bits == Bits::portable) return {1, ewald_terms_portable};
  return HWY_DYNAMIC_DISPATCH(mixed_choices)();
}

}  // namespace fg
#endif
