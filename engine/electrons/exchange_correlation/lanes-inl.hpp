// SPDX-License-Identifier: BSD-3-Clause
//
// A vector of doubles with the usual operators, so that formulas read as on paper. Also the
// functions that the formulas need. Each lane is computed alone: the result for a point does not
// depend on its place in a vector. Relative errors in units of 2^-53, over the range that
// functionals use (measured by the test beside): inverse_cube_root 3, log and log1p 4, exp 3, expm1
// 5.
#if defined(FG_XC_LANES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_XC_LANES_INL
#undef FG_XC_LANES_INL
#else
#define FG_XC_LANES_INL
#endif

#include "base/sized_vectors-inl.hpp"
#include "hwy/contrib/math/math-inl.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::electrons::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;
namespace sized = fg::HWY_NAMESPACE::sized;

using Tag = hn::ScalableTag<double>;
using Mask = sized::Mask<Tag>;

struct Lanes {
  sized::Vec<Tag> v;

  Lanes() = default;  // of unknown value
  HWY_INLINE Lanes(sized::Vec<Tag> vector) : v(vector) {}
  HWY_INLINE Lanes(double value) : v(hn::Set(Tag(), value)) {}

  friend HWY_INLINE Lanes operator+(Lanes a, Lanes b) { return hn::Add(a.v, b.v); }
  friend HWY_INLINE Lanes operator-(Lanes a, Lanes b) { return hn::Sub(a.v, b.v); }
  friend HWY_INLINE Lanes operator*(Lanes a, Lanes b) { return hn::Mul(a.v, b.v); }
  friend HWY_INLINE Lanes operator/(Lanes a, Lanes b) { return hn::Div(a.v, b.v); }
  friend HWY_INLINE Lanes operator-(Lanes a) { return hn::Neg(a.v); }
};

HWY_INLINE Lanes load(const double* from) {
  return hn::LoadU(Tag(), from);
}
HWY_INLINE void store(Lanes x, double* to) {
  hn::StoreU(x.v, Tag(), to);
}

HWY_INLINE Mask operator<(Lanes a, Lanes b) {
  return hn::Lt(a.v, b.v);
}
HWY_INLINE Mask operator<=(Lanes a, Lanes b) {
  return hn::Le(a.v, b.v);
}
HWY_INLINE Lanes choose(Mask mask, Lanes yes, Lanes no) {
  return hn::IfThenElse(mask, yes.v, no.v);
}
HWY_INLINE Lanes zero_where(Mask mask, Lanes x) {
  return hn::IfThenZeroElse(mask, x.v);
}
/// max(x, low); a NaN stays one.
HWY_INLINE Lanes at_least(Lanes x, Lanes low) {
  return choose(x < low, low, x);
}

HWY_INLINE Lanes sqrt(Lanes x) {
  return hn::Sqrt(x.v);
}
HWY_INLINE Lanes exp(Lanes x) {
  return hn::Exp(Tag(), sized::plain(Tag(), x.v));
}
HWY_INLINE Lanes expm1(Lanes x) {
  return hn::Expm1(Tag(), sized::plain(Tag(), x.v));
}
/// The logarithm of positive normal numbers.
HWY_INLINE Lanes log(Lanes x) {
  return hn::Log(Tag(), sized::plain(Tag(), x.v));
}
HWY_INLINE Lanes log1p(Lanes x) {
  return hn::Log1p(Tag(), sized::plain(Tag(), x.v));
}

/// a b + c
HWY_INLINE Lanes multiply_add(Lanes a, Lanes b, Lanes c) {
  return hn::MulAdd(a.v, b.v, c.v);
}
/// c - a b
HWY_INLINE Lanes subtract_product(Lanes c, Lanes a, Lanes b) {
  return hn::NegMulAdd(a.v, b.v, c.v);
}

/// x^(-1/3) of a positive normal number. A third of the exponent gives y within 3.5 %. Then the
/// series of (1 - h)^(-1/3) up to h^3, with h = 1 - x y^3, leaves an error of 2e-5. A second time
/// it leaves nothing but rounding.
HWY_INLINE Lanes inverse_cube_root(Lanes x) {
  constexpr double two_to_52 = 4503599627370496.0;
  const Tag d;
  const hn::RebindToUnsigned<Tag> bits;
  // The upper half of the bits as a number, by way of the last bits of 2^52 + n.
  const auto offset = hn::BitCast(bits, hn::Set(d, two_to_52));
  const Lanes upper =
      Lanes(hn::BitCast(d, hn::Or(hn::ShiftRight<32>(hn::BitCast(bits, x.v)), offset))) - two_to_52;
  const Lanes guess = subtract_product(1430188458.0 + two_to_52, upper, 1.0 / 3);
  Lanes y = hn::BitCast(d, hn::ShiftLeft<32>(hn::BitCast(bits, guess.v)));
  for (int i = 0; i < 2; ++i) {
    const Lanes h = subtract_product(1.0, x * y, y * y);
    const Lanes series = multiply_add(multiply_add(h, 14.0 / 81, 2.0 / 9), h, 1.0 / 3);
    y = multiply_add(y * h, series, y);
  }
  return y;
}

}  // namespace fg::electrons::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_XC_LANES_INL
