// SPDX-License-Identifier: BSD-3-Clause
//
// The arctangent of numbers that are not negative, infinity included, with the same bits on every
// SIMD target. One division brings them near zero, and a series follows (arctangent.hpp). The error
// is within two units in the last place. Included once per SIMD target, only by kernels.
#if defined(FG_BASE_ARCTANGENT_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_BASE_ARCTANGENT_INL
#undef FG_BASE_ARCTANGENT_INL
#else
#define FG_BASE_ARCTANGENT_INL
#endif

#include <hwy/highway.h>

#include <numbers>

#include "base/arctangent.hpp"
#include "base/fused-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

template <class D, class V = hn::Vec<D> >
HWY_INLINE V arctangent(D d, hn::Vec<D> t) {
  const V one = hn::Set(d, 1.0);
  // atan(t) = pi/2 + atan(-1/t) = pi/4 + atan((t - 1) / (t + 1))
  const auto large = hn::Gt(t, hn::Set(d, 1.0 / tan_eighth_pi));
  const auto middle = hn::Gt(t, hn::Set(d, tan_eighth_pi));
  const V above = hn::IfThenElse(large, hn::Neg(one), hn::IfThenElse(middle, hn::Sub(t, one), t));
  const V below = hn::IfThenElse(large, t, hn::IfThenElse(middle, hn::Add(t, one), one));
  const V start =
      hn::IfThenElse(large, hn::Set(d, std::numbers::pi / 2),
                     hn::IfThenElse(middle, hn::Set(d, std::numbers::pi / 4), hn::Zero(d)));
  const V x = hn::Div(above, below), y = hn::Mul(x, x);
  V series = hn::Set(d, arctangent_series[arctangent_terms - 1]);
  for (int k = arctangent_terms - 2; k >= 0; --k)
    series = fused::mul_add(series, y, hn::Set(d, arctangent_series[k]));
  return hn::Add(start, fused::mul_add(hn::Mul(x, y), series, x));
}

}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif
