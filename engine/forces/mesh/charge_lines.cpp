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
using reference::copy_rows;
using reference::part_line_pair;
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
void add_charges(Rows<const Real> values, int rows, int length, Rows<std::int64_t> lines) {
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

template <class Real>
void part_line_pair(const std::complex<Real>* HWY_RESTRICT in, int length, Real* HWY_RESTRICT a,
                    Real* HWY_RESTRICT b) {
  const hn::ScalableTag<Real> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const int whole = length / lanes * lanes;
  for (int i = 0; i < whole; i += lanes) {
    hn::VFromD<decltype(d)> re, im;
    hn::LoadInterleaved2(d, reinterpret_cast<const Real*>(in + i), re, im);
    hn::StoreU(re, d, a + i);
    hn::StoreU(im, d, b + i);
  }
  reference::part_line_pair(in + whole, length - whole, a + whole, b + whole);
}

template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) {
  const hn::ScalableTag<Real> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  if (length < lanes) return reference::copy_rows(from, rows, length, to);
  for (int r = 0; r < rows; ++r) {
    const Real* source = from.first + r * from.stride;
    Real* target = to.first + r * to.stride;
    int i = 0;
    for (; i + lanes < length; i += lanes) hn::StoreU(hn::LoadU(d, source + i), d, target + i);
    // The last vector overlaps the one before it.
    hn::StoreU(hn::LoadU(d, source + length - lanes), d, target + length - lanes);
  }
}

#endif

void add_float(Rows<const float> v, int rows, int length, Rows<std::int64_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void add_double(Rows<const double> v, int rows, int length, Rows<std::int64_t> l) {
  HWY_NAMESPACE::add_charges(v, rows, length, l);
}
void take_float(std::int64_t* a, std::int64_t* b, int length, std::complex<float>* out) {
  HWY_NAMESPACE::take_line_pair(a, b, length, out);
}
void take_double(std::int64_t* a, std::int64_t* b, int length, std::complex<double>* out) {
  HWY_NAMESPACE::take_line_pair(a, b, length, out);
}
void part_float(const std::complex<float>* in, int length, float* a, float* b) {
  HWY_NAMESPACE::part_line_pair(in, length, a, b);
}
void part_double(const std::complex<double>* in, int length, double* a, double* b) {
  HWY_NAMESPACE::part_line_pair(in, length, a, b);
}
void copy_float(Rows<const float> from, int rows, int length, Rows<float> to) {
  HWY_NAMESPACE::copy_rows(from, rows, length, to);
}
void copy_double(Rows<const double> from, int rows, int length, Rows<double> to) {
  HWY_NAMESPACE::copy_rows(from, rows, length, to);
}

}  // namespace fg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg {

HWY_EXPORT(add_float);
HWY_EXPORT(add_double);
HWY_EXPORT(take_float);
HWY_EXPORT(take_double);
HWY_EXPORT(part_float);
HWY_EXPORT(part_double);
HWY_EXPORT(copy_float);
HWY_EXPORT(copy_double);

template <>
void add_charges(Rows<const float> v, int rows, int length, Rows<std::int64_t> lines) noexcept {
  HWY_DYNAMIC_DISPATCH(add_float)(v, rows, length, lines);
}
template <>
void add_charges(Rows<const double> v, int rows, int length, Rows<std::int64_t> lines) noexcept {
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
template <>
void part_line_pair(const std::complex<float>* in, int length, float* a, float* b) noexcept {
  HWY_DYNAMIC_DISPATCH(part_float)(in, length, a, b);
}
template <>
void part_line_pair(const std::complex<double>* in, int length, double* a, double* b) noexcept {
  HWY_DYNAMIC_DISPATCH(part_double)(in, length, a, b);
}
template <>
void copy_rows(Rows<const float> from, int rows, int length, Rows<float> to) noexcept {
  HWY_DYNAMIC_DISPATCH(copy_float)(from, rows, length, to);
}
template <>
void copy_rows(Rows<const double> from, int rows, int length, Rows<double> to) noexcept {
  HWY_DYNAMIC_DISPATCH(copy_double)(from, rows, length, to);
}

}  // namespace fg
#endif
