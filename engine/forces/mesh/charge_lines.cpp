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

template <class Real>
using Reals = hn::ScalableTag<Real>;
template <class Real>
using Sums = hn::RebindToSigned<Reals<Real> >;

// Adding 1.5 * 2^52 puts a number's nearest integer into the low bits, as in FixedScale.
constexpr double magic = 6755399441055744.0;
constexpr std::int64_t magic_bits = 0x4338000000000000;

HWY_INLINE hn::VFromD<Sums<float> > to_fixed(hn::VFromD<Reals<float> > charge) {
  return hn::NearestInt(hn::Mul(charge, hn::Set(Reals<float>(), single_charge_scale)));
}
HWY_INLINE hn::VFromD<Sums<double> > to_fixed(hn::VFromD<Reals<double> > charge) {
  const Reals<double> d;
  const auto shifted = hn::MulAdd(charge, hn::Set(d, charge_scale.scale), hn::Set(d, magic));
  return hn::Sub(hn::BitCast(Sums<double>(), shifted), hn::Set(Sums<double>(), magic_bits));
}

HWY_INLINE hn::VFromD<Reals<float> > from_fixed(hn::VFromD<Sums<float> > sum) {
  const Reals<float> d;
  return hn::Mul(hn::ConvertTo(d, sum), hn::Set(d, 1 / single_charge_scale));
}
HWY_INLINE hn::VFromD<Reals<double> > from_fixed(hn::VFromD<Sums<double> > sum) {
  const Reals<double> d;
  const auto shifted = hn::BitCast(d, hn::Add(sum, hn::Set(Sums<double>(), magic_bits)));
  return hn::Mul(hn::Sub(shifted, hn::Set(d, magic)), hn::Set(d, 1 / charge_scale.scale));
}

template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<ChargeSum<Real> > lines) {
  const Reals<Real> d;
  const Sums<Real> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto add = [&](hn::VFromD<Reals<Real> > charge, ChargeSum<Real>* at) HWY_ATTR {
    hn::StoreU(hn::Add(hn::LoadU(di, at), to_fixed(charge)), di, at);
  };
  const int whole = length / lanes * lanes;
  // Blocks are messages: beyond their last value there may be no memory.
  [[maybe_unused]] const auto rest = hn::FirstN(d, length - whole);
  for (int r = 0; r < rows; ++r) {
    const Real* from = values.first + r * values.stride;
    ChargeSum<Real>* to = lines.first + r * lines.stride;
    for (int i = 0; i < whole; i += lanes) add(hn::LoadU(d, from + i), to + i);
    if (whole == length) continue;
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    add(hn::MaskedLoad(rest, d, from + whole), to + whole);
#else
    reference::add_charges<Real>({from + whole, 0}, 1, length - whole, {to + whole, 0});
#endif
  }
}

template <class Real>
void take_line_pair(ChargeSum<Real>* HWY_RESTRICT a, ChargeSum<Real>* HWY_RESTRICT b, int length,
                    std::complex<Real>* HWY_RESTRICT out) {
  const Reals<Real> d;
  const Sums<Real> di;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto take = [&](ChargeSum<Real>* from) HWY_ATTR {
    const auto sum = hn::LoadU(di, from);
    hn::StoreU(hn::Zero(di), di, from);
    return from_fixed(sum);
  };
  const int whole = length / lanes * lanes;
  for (int i = 0; i < whole; i += lanes)
    hn::StoreInterleaved2(take(a + i), take(b + i), d, reinterpret_cast<Real*>(out + i));
  reference::take_line_pair(a + whole, b + whole, length - whole, out + whole);
}

#endif

void add_float(fft::Rows<const float> v, int rows, int length, fft::Rows<std::int32_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void add_double(fft::Rows<const double> v, int rows, int length, fft::Rows<std::int64_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void take_float(std::int32_t* a, std::int32_t* b, int length, std::complex<float>* out) {
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
                 fft::Rows<std::int32_t> lines) noexcept {
  HWY_DYNAMIC_DISPATCH(add_float)(v, rows, length, lines);
}
template <>
void add_charges(fft::Rows<const double> v, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept {
  HWY_DYNAMIC_DISPATCH(add_double)(v, rows, length, lines);
}
template <>
void take_line_pair(std::int32_t* a, std::int32_t* b, int length,
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
