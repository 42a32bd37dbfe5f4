// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/real_pairs.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/lines/real_pairs.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::fft::HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// -0.0 in the lanes that hold imaginary parts (odd) or real parts (even).
template <class D>
hn::VFromD<D> sign_mask(D d, bool imaginary) {
  using Real = hn::TFromD<D>;
  HWY_ALIGN Real lanes[hn::MaxLanes(d)];
  for (std::size_t i = 0; i < hn::Lanes(d); ++i)
    lanes[i] = (i % 2 == 1) == imaginary ? Real(-0.0) : Real(0.0);
  return hn::Load(d, lanes);
}

template <class Real>
void split(const Real* v, const Real* w, std::size_t pairs, Real* a, Real* b) noexcept {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d), count = 2 * pairs;
  std::size_t i = 0;
  if (lanes >= 2) {
    const auto flip_imaginary = sign_mask(d, true);
    for (; i + lanes <= count; i += lanes) {
      const auto x = hn::LoadU(d, v + i);
      const auto y = hn::LoadU(d, w + i);
      const auto conj_y = hn::Xor(y, flip_imaginary);
      hn::StoreU(hn::Add(x, conj_y), d, a + i);
      // -i (x - conj y): swap the parts, then negate the new imaginary one.
      hn::StoreU(hn::Xor(hn::Reverse2(d, hn::Sub(x, conj_y)), flip_imaginary), d, b + i);
    }
  }
  for (; i < count; i += 2) {
    const Real vr = v[i], vi = v[i + 1], wr = w[i], wi = w[i + 1];
    a[i] = vr + wr, a[i + 1] = vi - wi;
    b[i] = vi + wi, b[i + 1] = wr - vr;
  }
}

template <class Real>
void merge(const Real* a, const Real* b, std::size_t pairs, Real* v, Real* w) noexcept {
  const hn::ScalableTag<Real> d;
  const std::size_t lanes = hn::Lanes(d), count = 2 * pairs;
  std::size_t i = 0;
  if (lanes >= 2) {
    const auto flip_imaginary = sign_mask(d, true);
    const auto flip_real = sign_mask(d, false);
    for (; i + lanes <= count; i += lanes) {
      const auto x = hn::LoadU(d, a + i);
      const auto y = hn::Reverse2(d, hn::LoadU(d, b + i));  // (im, re)
      hn::StoreU(hn::Add(x, hn::Xor(y, flip_real)), d, v + i);
      hn::StoreU(hn::Add(hn::Xor(x, flip_imaginary), y), d, w + i);
    }
  }
  for (; i < count; i += 2) {
    const Real ar = a[i], ai = a[i + 1], br = b[i], bi = b[i + 1];
    v[i] = ar - bi, v[i + 1] = ai + br;
    w[i] = ar + bi, w[i + 1] = br - ai;
  }
}

void split_float(const float* v, const float* w, std::size_t n, float* a, float* b) {
  split(v, w, n, a, b);
}
void split_double(const double* v, const double* w, std::size_t n, double* a, double* b) {
  split(v, w, n, a, b);
}
void merge_float(const float* a, const float* b, std::size_t n, float* v, float* w) {
  merge(a, b, n, v, w);
}
void merge_double(const double* a, const double* b, std::size_t n, double* v, double* w) {
  merge(a, b, n, v, w);
}

}  // namespace fg::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {

HWY_EXPORT(split_float);
HWY_EXPORT(split_double);
HWY_EXPORT(merge_float);
HWY_EXPORT(merge_double);

namespace {

template <class Real>
const Real* parts(const std::complex<Real>* z) {
  return reinterpret_cast<const Real*>(z);
}
template <class Real>
Real* parts(std::complex<Real>* z) {
  return reinterpret_cast<Real*>(z);
}

}  // namespace

template <>
void split_row(const std::complex<float>* z_k, const std::complex<float>* z_minus_k,
               std::size_t pairs, std::complex<float>* a, std::complex<float>* b) noexcept {
  HWY_DYNAMIC_DISPATCH(split_float)(parts(z_k), parts(z_minus_k), pairs, parts(a), parts(b));
}
template <>
void split_row(const std::complex<double>* z_k, const std::complex<double>* z_minus_k,
               std::size_t pairs, std::complex<double>* a, std::complex<double>* b) noexcept {
  HWY_DYNAMIC_DISPATCH(split_double)(parts(z_k), parts(z_minus_k), pairs, parts(a), parts(b));
}
template <>
void merge_row(const std::complex<float>* a, const std::complex<float>* b, std::size_t pairs,
               std::complex<float>* z_k, std::complex<float>* z_minus_k) noexcept {
  HWY_DYNAMIC_DISPATCH(merge_float)(parts(a), parts(b), pairs, parts(z_k), parts(z_minus_k));
}
template <>
void merge_row(const std::complex<double>* a, const std::complex<double>* b, std::size_t pairs,
               std::complex<double>* z_k, std::complex<double>* z_minus_k) noexcept {
  HWY_DYNAMIC_DISPATCH(merge_double)(parts(a), parts(b), pairs, parts(z_k), parts(z_minus_k));
}

}  // namespace fg::fft
#endif
