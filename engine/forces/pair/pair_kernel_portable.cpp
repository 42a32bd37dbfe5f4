// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/pair_kernel_portable.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/pair/pair_kernel_portable.cpp"
#include <hwy/foreach_target.h>

#include "forces/pair/pair_kernel-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

PairFunctions<float> choose_portable(int terms, LennardJonesKind kind) {
  return functions_with<float, Bits::portable>(terms, kind);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_portable);

}  // namespace

PairFunctions<float> choose_portable_functions(int terms, LennardJonesKind kind) {
  return HWY_DYNAMIC_DISPATCH(choose_portable)(terms, kind);
}

}  // namespace fg
#endif
