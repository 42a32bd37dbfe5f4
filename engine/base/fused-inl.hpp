// SPDX-License-Identifier: BSD-3-Clause
//
// Products added to sums, rounded once wherever the target can do so in one instruction. The
// portable baseline rounds once, too: there the C library's fma has the same bits, in many
// instructions. SSE4 rounds twice; runs with portable bits do not use it (base/bits_of_run.hpp).
// Included once per SIMD target, only by kernels.
#if defined(FG_BASE_FUSED_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_BASE_FUSED_INL
#undef FG_BASE_FUSED_INL
#else
#define FG_BASE_FUSED_INL
#endif

#include <hwy/highway.h>

#include <cmath>
#include <cstddef>
#include <type_traits>

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace fused {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET == HWY_SCALAR || HWY_TARGET == HWY_EMU128

/// f of the numbers in each lane.
template <class F, class V, class... More>
HWY_INLINE V number_by_number(const F& f, V a, const More&... more) {
#if HWY_TARGET == HWY_SCALAR
  a.raw = f(a.raw, more.raw...);
#else
  for (std::size_t i = 0; i < hn::MaxLanes(hn::DFromV<V>()); ++i)
    a.raw[i] = f(a.raw[i], more.raw[i]...);
#endif
  return a;
}

template <class V>
HWY_INLINE V mul_add(V a, V b, V c) {
  return number_by_number([](auto x, auto y, auto z) { return std::fma(x, y, z); }, a, b, c);
}
template <class V>
HWY_INLINE V neg_mul_add(V a, V b, V c) {
  return number_by_number([](auto x, auto y, auto z) { return std::fma(-x, y, z); }, a, b, c);
}
template <class V>
HWY_INLINE V mul_sub(V a, V b, V c) {
  return number_by_number([](auto x, auto y, auto z) { return std::fma(x, y, -z); }, a, b, c);
}
template <class V>
HWY_INLINE V round(V a) {
  return number_by_number([](auto x) { return std::nearbyint(x); }, a);
}

#else

/// a b + c
template <class V>
HWY_INLINE V mul_add(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  return hn::MulAdd(a, b, c);
}
/// c - a b
template <class V>
HWY_INLINE V neg_mul_add(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  return hn::NegMulAdd(a, b, c);
}
/// a b - c
template <class V>
HWY_INLINE V mul_sub(V a, std::type_identity_t<V> b, std::type_identity_t<V> c) {
  return hn::MulSub(a, b, c);
}
/// Rounds to the nearest whole number, and to the even one of two.
template <class V>
HWY_INLINE V round(V a) {
  return hn::Round(a);
}

#endif

}  // namespace fused
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
