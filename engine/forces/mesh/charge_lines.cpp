// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/charge_lines.hpp"

#include "base/fixed_point.hpp"
#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "forces/mesh/charge_lines.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::add_charges;
using reference::take_line_pair;

#else

namespace hn = hwy::HWY_NAMESPACE;

using Doubles = hn::ScalableTag<double>;
using Integers = hn::RebindToSigned<Doubles>;
template <class Real>
using Reals = hn::Rebind<Real, Doubles>;

// Adding 1.5 * 2^52 puts a number's nearest integer into the low bits, as in FixedScale.
constexpr double magic = 6755399441055744.0;
constexpr std::int64_t magic_bits = 0x4338000000000000;

HWY_INLINE hn::VFromD<Doubles> widen(hn::VFromD<Reals<float> > v) {
  return hn::PromoteTo(Doubles(), v);
}
HWY_INLINE hn::VFromD<Doubles> widen(hn::VFromD<Doubles> v) {
  return v;
}
HWY_INLINE hn::VFromD<Reals<float> > narrow(Reals<float> d, hn::VFromD<Doubles> v) {
  return hn::DemoteTo(d, v);
}
HWY_INLINE hn::VFromD<Doubles> narrow(Doubles, hn::VFromD<Doubles> v) {
  return v;
}

template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<std::int64_t> lines) {
  const Reals<Real> dr;
  const Doubles dd;
  const Integers di;
  const int lanes = static_cast<int>(hn::Lanes(dd));
  const auto scale = hn::Set(dd, charge_scale.scale);
  const auto shift = hn::Set(dd, magic);
  const auto shift_bits = hn::Set(di, magic_bits);
  const auto add = [&](hn::VFromD<Reals<Real> > value, std::int64_t* at) HWY_ATTR {
    const auto bits = hn::BitCast(di, hn::MulAdd(widen(value), scale, shift));
    hn::StoreU(hn::Add(hn::LoadU(di, at), hn::Sub(bits, shift_bits)), di, at);
  };
  const int whole = length / lanes * lanes;
  const auto rest = hn::FirstN(dr, length - whole);
  for (int r = 0; r < rows; ++r) {
    const Real* from = values.first + r * values.stride;
    std::int64_t* to = lines.first + r * lines.stride;
    for (int i = 0; i < whole; i += lanes) add(hn::LoadU(dr, from + i), to + i);
    if (whole < length) add(hn::IfThenElseZero(rest, hn::LoadU(dr, from + whole)), to + whole);
  }
}

template <class Real>
void take_line_pair(std::int64_t* HWY_RESTRICT a, std::int64_t* HWY_RESTRICT b, int length,
                    std::complex<Real>* HWY_RESTRICT out) {
  const Reals<Real> dr;
  const Doubles dd;
  const Integers di;
  const int lanes = static_cast<int>(hn::Lanes(dd));
  const auto unit = hn::Set(dd, 1 / charge_scale.scale);
  const auto shift = hn::Set(dd, magic);
  const auto shift_bits = hn::Set(di, magic_bits);
  const auto take = [&](std::int64_t* from) HWY_ATTR {
    const auto bits = hn::Add(hn::LoadU(di, from), shift_bits);
    hn::StoreU(hn::Zero(di), di, from);
    return narrow(dr, hn::Mul(hn::Sub(hn::BitCast(dd, bits), shift), unit));
  };
  const int whole = length / lanes * lanes;
  for (int i = 0; i < whole; i += lanes)
    hn::StoreInterleaved2(take(a + i), take(b + i), dr, reinterpret_cast<Real*>(out + i));
  reference::take_line_pair(a + whole, b + whole, length - whole, out + whole);
}

#endif

void add_float(fft::Rows<const float> v, int rows, int length, fft::Rows<std::int64_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void add_double(fft::Rows<const double> v, int rows, int length, fft::Rows<std::int64_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void take_float(std::int64_t* a, std::int64_t* b, int length, std::complex<float>* out) {
  HWY_NAMESPACE::take_line_pair(a, b, length, out);
}
void take_double(std::int64_t* a, std::int64_t* b, int length, std::complex<double>* out) {
  HWY_NAMESPACE::take_line_pair(a, b, length, out);
}

}  // namespace fg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(add_float);
HWY_EXPORT(add_double);
HWY_EXPORT(take_float);
HWY_EXPORT(take_double);

template <>
void add_charges(fft::Rows<const float> v, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept {
  HWY_DYNAMIC_DISPATCH(add_float)(v, rows, length, lines);
}
template <>
void add_charges(fft::Rows<const double> v, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept {
  HWY_DYNAMIC_DISPATCH(add_double)(v, rows, length, lines);
}
template <>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length,
                    std::complex<float>* out) noexcept {
  HWY_DYNAMIC_DISPATCH(take_float)(a, b, length, out);
}
template <>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length,
                    std::complex<double>* out) noexcept {
  HWY_DYNAMIC_DISPATCH(take_double)(a, b, length, out);
}

}  // namespace fg
#endif
