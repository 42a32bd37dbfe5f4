// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/mirrored_waves.hpp"

#include <algorithm>
#include <cstddef>

#include "base/simd_targets.hpp"
#include "fft/lines/unit_roots.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/lines/mirrored_waves.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// Complex numbers in the opposite order.
template <class D>
HWY_INLINE hn::VFromD<D> reverse_complex(D d, hn::VFromD<D> v) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    const hn::Repartition<double, D> pairs;
    return hn::BitCast(d, hn::Reverse(pairs, hn::BitCast(pairs, v)));
  } else {
    return hn::ReverseBlocks(d, v);
  }
}

/// Pairs k to k + lanes/2 - 1 of one line.
template <class D, class Real = hn::TFromD<D>>
HWY_INLINE void mirror_vector(D d, const MirrorFactors<Real>& factors, const Real* in,
                              std::ptrdiff_t k, hn::VFromD<D> flip, Real* out) {
  const std::ptrdiff_t last = k + static_cast<std::ptrdiff_t>(hn::Lanes(d)) / 2 - 1;
  const std::ptrdiff_t mirror = factors.half - last;
  const auto x = hn::LoadU(d, in + 2 * k);
  const auto y = hn::Xor(reverse_complex(d, hn::LoadU(d, in + 2 * mirror)), flip);
  const auto even = hn::Mul(hn::Add(x, y), hn::Set(d, factors.weight)), odd = hn::Sub(x, y);
  const auto real = hn::LoadU(d, factors.real.data() + 2 * (k - 1));
  const auto imaginary = hn::LoadU(d, factors.imaginary.data() + 2 * (k - 1));
  const auto turned = hn::MulAdd(odd, real, hn::Mul(hn::Reverse2(d, odd), imaginary));
  hn::StoreU(hn::Add(even, turned), d, out + 2 * k);
  hn::StoreU(reverse_complex(d, hn::Xor(hn::Sub(even, turned), flip)), d, out + 2 * mirror);
}

template <class D, class Real = hn::TFromD<D>>
HWY_INLINE void mirror_line(D d, const MirrorFactors<Real>& factors, const Real* in, Real* out) {
  const auto width = static_cast<std::ptrdiff_t>(hn::Lanes(d)) / 2;
  const std::ptrdiff_t end = factors.half / 2 + 1;
  // -0.0 at imaginary parts
  const auto flip = hn::OddEven(hn::Set(d, Real(-0.0)), hn::Zero(d));
  for (std::ptrdiff_t k = 1; k < end; k += width)
    // The last vector begins earlier, and does some pairs again.
    mirror_vector(d, factors, in, std::min(k, end - width), flip, out);
}

#endif

template <class Real>
void mirror(const MirrorFactors<Real>& factors, const Real* in, Real* out) {
#if HWY_TARGET == HWY_SCALAR
  const std::ptrdiff_t m = factors.half;
  for (std::ptrdiff_t k = 1; k <= m / 2; ++k) {
    const Real xr = in[2 * k], xi = in[2 * k + 1];
    const Real yr = in[2 * (m - k)], yi = -in[2 * (m - k) + 1];
    const Real er = (xr + yr) * factors.weight, ei = (xi + yi) * factors.weight;
    const Real dr = xr - yr, di = xi - yi;
    const Real fr = factors.real[2 * (k - 1)], fi = factors.imaginary[2 * (k - 1) + 1];
    const Real tr = dr * fr - di * fi, ti = di * fr + dr * fi;
    out[2 * k] = er + tr, out[2 * k + 1] = ei + ti;
    out[2 * (m - k)] = er - tr, out[2 * (m - k) + 1] = ti - ei;
  }
#else
  const hn::ScalableTag<Real> whole;
  const hn::CappedTag<Real, 16 / sizeof(Real)> block;
  const hn::CappedTag<Real, 2> one;
  const std::ptrdiff_t pairs = factors.half / 2;
  if (pairs >= static_cast<std::ptrdiff_t>(hn::Lanes(whole)) / 2)
    mirror_line(whole, factors, in, out);
  else if (pairs >= static_cast<std::ptrdiff_t>(hn::Lanes(block)) / 2)
    mirror_line(block, factors, in, out);
  else
    mirror_line(one, factors, in, out);
#endif
}

void mirror_float(const MirrorFactors<float>& factors, const float* in, float* out) {
  mirror(factors, in, out);
}
void mirror_double(const MirrorFactors<double>& factors, const double* in, double* out) {
  mirror(factors, in, out);
}

}  // namespace fg::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {

HWY_EXPORT(mirror_float);
HWY_EXPORT(mirror_double);

template <class Real>
MirrorFactors<Real>::MirrorFactors(int length, Way way)
    : half(length / 2), weight(way == Way::to_waves ? Real(0.5) : Real(1)) {
  const UnitRoots roots(length);
  for (int k = 1; k <= half / 2; ++k) {
    // -i (c - i s) = -s - i c, and i (c + i s) = -s + i c
    const auto [c, s] = roots.rounded<Real>(k);
    const Real r = -weight * s, i = way == Way::to_waves ? -weight * c : weight * c;
    real.insert(real.end(), {r, r});
    imaginary.insert(imaginary.end(), {-i, i});
  }
}

template <>
void mirror_waves(const MirrorFactors<float>& factors, const std::complex<float>* in,
                  std::complex<float>* out) noexcept {
  HWY_DYNAMIC_DISPATCH(mirror_float)
  (factors, reinterpret_cast<const float*>(in), reinterpret_cast<float*>(out));
}
template <>
void mirror_waves(const MirrorFactors<double>& factors, const std::complex<double>* in,
                  std::complex<double>* out) noexcept {
  HWY_DYNAMIC_DISPATCH(mirror_double)
  (factors, reinterpret_cast<const double*>(in), reinterpret_cast<double*>(out));
}

template struct MirrorFactors<float>;
template struct MirrorFactors<double>;

}  // namespace fg::fft
#endif
