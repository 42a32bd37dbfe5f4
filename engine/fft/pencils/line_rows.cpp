// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencils/line_rows.hpp"

#include "base/simd_targets.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "fft/pencils/line_rows.cpp"
#include "hwy/foreach_target.h"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::fft::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

using reference::copy_rows;
using reference::part_line_pair;

#else

namespace hn = hwy::HWY_NAMESPACE;

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

#endif

void copy_float(Rows<const float> from, int rows, int length, Rows<float> to) {
  HWY_NAMESPACE::copy_rows(from, rows, length, to);
}
void copy_double(Rows<const double> from, int rows, int length, Rows<double> to) {
  HWY_NAMESPACE::copy_rows(from, rows, length, to);
}
void part_float(const std::complex<float>* in, int length, float* a, float* b) {
  HWY_NAMESPACE::part_line_pair(in, length, a, b);
}
void part_double(const std::complex<double>* in, int length, double* a, double* b) {
  HWY_NAMESPACE::part_line_pair(in, length, a, b);
}

}  // namespace fg::fft::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace fg::fft {

HWY_EXPORT(copy_float);
HWY_EXPORT(copy_double);
HWY_EXPORT(part_float);
HWY_EXPORT(part_double);

template <>
void copy_rows(Rows<const float> from, int rows, int length, Rows<float> to) noexcept {
  HWY_DYNAMIC_DISPATCH(copy_float)(from, rows, length, to);
}
template <>
void copy_rows(Rows<const double> from, int rows, int length, Rows<double> to) noexcept {
  HWY_DYNAMIC_DISPATCH(copy_double)(from, rows, length, to);
}
template <>
void part_line_pair(const std::complex<float>* in, int length, float* a, float* b) noexcept {
  HWY_DYNAMIC_DISPATCH(part_float)(in, length, a, b);
}
template <>
void part_line_pair(const std::complex<double>* in, int length, double* a, double* b) noexcept {
  HWY_DYNAMIC_DISPATCH(part_double)(in, length, a, b);
}

}  // namespace fg::fft
#endif
