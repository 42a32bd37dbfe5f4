// SPDX-License-Identifier: BSD-3-Clause
//
// Lines that lie side by side, but fewer than a vector has lanes. They are rows of a pencil that is
// narrow, or what is left of wide ones. A row is read and written as far as it goes. The lanes
// behind repeat its last line, as they do where lines are scattered. So one side of a transform may
// be narrow, and the other one not.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_NARROW_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_NARROW_LINES_INL
#undef FG_FFT_NARROW_LINES_INL
#else
#define FG_FFT_NARROW_LINES_INL
#endif

#include <algorithm>

#include "fft/lines/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

/// The first `lines` numbers of a row.
#if HWY_MEM_OPS_MIGHT_FAULT

template <class Real>
HWY_INLINE Value<Real> load_narrow(const Real* from, int lines) {
  HWY_ALIGN Real row[row_size<Real>];
  for (std::ptrdiff_t l = 0; l < lanes_of<Real>; ++l)
    std::copy_n(from + 2 * std::min<std::ptrdiff_t>(l, lines - 1), 2, row + 2 * l);
  return load_row<RowKind::complex, Real>(row);
}
template <class Real>
HWY_INLINE void store_narrow(Value<Real> x, int lines, Real* to) {
  HWY_ALIGN Real row[row_size<Real>];
  store_row<RowKind::complex, Real>(x, row);
  std::copy_n(row, 2 * lines, to);
}

#else

template <class Real>
HWY_INLINE hn::Mask<Lanes<Real> > first_reals(std::ptrdiff_t count) {
  return hn::FirstN(Lanes<Real>(), std::clamp<std::ptrdiff_t>(count, 0, lanes_of<Real>));
}
template <class Real>
HWY_INLINE Value<Real> load_narrow(const Real* from, int lines) {
  const Lanes<Real> d;
  const Real* const last = from + 2 * (lines - 1);
  const Vec<Real> repeated = hn::OddEven(hn::Set(d, last[1]), hn::Set(d, last[0]));
  const auto load = [&](std::ptrdiff_t begin) HWY_ATTR {
    const auto there = first_reals<Real>(2 * lines - begin);
    return hn::IfThenElse(there, hn::MaskedLoad(there, d, from + begin), repeated);
  };
  return parts_of<Real>(load(0), load(lanes_of<Real>));
}
template <class Real>
HWY_INLINE void store_narrow(Value<Real> x, int lines, Real* to) {
  const Lanes<Real> d;
  const Value<Real> sides = sides_of<Real>(x);
  hn::BlendedStore(sides.re, first_reals<Real>(2 * lines), d, to);
  hn::BlendedStore(sides.im, first_reals<Real>(2 * lines - lanes_of<Real>), d, to + lanes_of<Real>);
}

#endif

/// From the first `lines` numbers of rows to rows of parts, and back. Rows are `step` reals apart,
/// or at the places of a table.
template <class Real>
HWY_NOINLINE void gather_narrow(const Real* in, int lines, std::ptrdiff_t step,
                                const std::int64_t* places, int length, Real* rows) {
  for (std::ptrdiff_t k = 0; k < length; ++k, rows += row_size<Real>) {
    const Real* row = in + k * step;
    if (places != nullptr) row = places[k] < 0 ? zero_row<Real> : in + 2 * places[k];
    store_row<RowKind::parts, Real>(load_narrow<Real>(row, lines), rows);
  }
}
template <class Real>
HWY_NOINLINE void scatter_narrow(const Real* rows, int lines, std::ptrdiff_t step,
                                 const std::int64_t* places, int length, Real* out) {
  for (std::ptrdiff_t k = 0; k < length; ++k, rows += row_size<Real>) {
    if (places != nullptr && places[k] < 0) continue;
    store_narrow<Real>(load_row<RowKind::parts, Real>(rows), lines,
                       out + (places == nullptr ? k * step : 2 * places[k]));
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
