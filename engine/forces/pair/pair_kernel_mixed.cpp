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
  if constexpr (ewald_in_pieces<float>) {
    if (terms == 6) return functions_of<float, 6>(kind);
    if (terms == 7) return functions_of<float, 7>(kind);
    if (terms == 8) return functions_of<float, 8>(kind);
    if (terms == 12) return functions_of<float, 12>(kind);
  } else {
    if (terms == 12) return functions_of<float, 12>(kind);
    if (terms == 14) return functions_of<float, 14>(kind);
    if (terms == 24) return functions_of<float, 24>(kind);
  }
  return functions_of<float, 0>(kind);
}

bool mixed_takes_pieces() {
  return ewald_in_pieces<float>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_mixed);
HWY_EXPORT(mixed_takes_pieces);

}  // namespace

template <>
PairFunctions<float> choose_pair_functions<float>(int terms, LennardJonesKind kind) {
  return HWY_DYNAMIC_DISPATCH(choose_mixed)(terms, kind);
}

template <>
bool kernels_take_pieces<float>() {
  return HWY_DYNAMIC_DISPATCH(mixed_takes_pieces)();
}

}  // namespace fg
#endif
