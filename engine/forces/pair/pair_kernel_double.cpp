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
  if (terms == 22) return functions_of<double, 22>(kind);
  if (terms == 40) return functions_of<double, 40>(kind);
  return functions_of<double, 0>(kind);
}

bool double_takes_pieces() {
  return ewald_in_pieces<double>;
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {
namespace {

HWY_EXPORT(choose_double);
HWY_EXPORT(double_takes_pieces);

}  // namespace

template <>
PairFunctions<double> choose_pair_functions<double>(int terms, LennardJonesKind kind) {
  return HWY_DYNAMIC_DISPATCH(choose_double)(terms, kind);
}

template <>
bool kernels_take_pieces<double>() {
  return HWY_DYNAMIC_DISPATCH(double_takes_pieces)();
}

}  // namespace fg
#endif
