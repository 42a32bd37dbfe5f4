// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of a group of lines. Row k holds element k of as many lines as a vector has lanes.
// Arrays have complex numbers in the order of the lines. Between the passes a row is a vector of
// real parts and one of imaginary parts. With N lanes, block b of 128 bits then belongs to the
// lines
//   float   2 b, N/2 + 2 b, 2 b + 1, N/2 + 2 b + 1
//   double  b, N/2 + b
// because vectors are rearranged more cheaply within such blocks than across them. Rows of an array
// may lie anywhere. The place of row k is in a table. A row without a place is zero when read, and
// dropped when written.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_ROWS_INL
#undef FG_FFT_ROWS_INL
#else
#define FG_FFT_ROWS_INL
#endif

#include <cstddef>
#include <cstdint>

#include "fft/lines/small_dfts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

enum class RowKind { complex, parts, placed };

/// Rows `step` reals apart, or row k of complex numbers `places[k]` of them from the first one.
template <class R>
struct Rows {
  R* first;
  std::ptrdiff_t step;
  RowKind kind;
  const std::int64_t* places = nullptr;

  operator Rows<const R>() const { return {first, step, kind, places}; }
};

template <class Real>
constexpr std::ptrdiff_t lanes_of = static_cast<std::ptrdiff_t>(hn::MaxLanes(Lanes<Real>()));
/// The reals of a row.
template <class Real>
constexpr std::ptrdiff_t row_size = 2 * lanes_of<Real>;

/// Two vectors of complex numbers side by side, to their parts, and back.
#if HWY_TARGET == HWY_SCALAR
template <class Real>
HWY_INLINE Value<Real> parts_of(Vec<Real> a, Vec<Real> b) {
  return {a, b};
}
template <class Real>
HWY_INLINE Value<Real> sides_of(Value<Real> x) {
  return x;
}
#else
template <class Real>
HWY_INLINE Value<Real> parts_of(Vec<Real> a, Vec<Real> b) {
  const Lanes<Real> d;
  if constexpr (sizeof(Real) == 8)
    return {hn::InterleaveLower(d, a, b), hn::InterleaveUpper(d, a, b)};
  else
    return {hn::OddEven(hn::DupEven(b), a), hn::OddEven(b, hn::DupOdd(a))};
}
template <class Real>
HWY_INLINE Value<Real> sides_of(Value<Real> x) {
  return parts_of<Real>(x.re, x.im);  // its own inverse
}
#endif

template <RowKind kind, class Real>
HWY_INLINE Value<Real> load_row(const Real* row) {
  const Lanes<Real> d;
  if constexpr (kind == RowKind::complex)
    return parts_of<Real>(hn::LoadU(d, row), hn::LoadU(d, row + lanes_of<Real>));
  else
    return {hn::Load(d, row), hn::Load(d, row + lanes_of<Real>)};
}

template <RowKind kind, class Real>
HWY_INLINE void store_row(Value<Real> x, Real* row) {
  const Lanes<Real> d;
  if constexpr (kind == RowKind::complex) {
    const Value<Real> sides = sides_of<Real>(x);
    hn::StoreU(sides.re, d, row);
    hn::StoreU(sides.im, d, row + lanes_of<Real>);
  } else {
    hn::Store(x.re, d, row);
    hn::Store(x.im, d, row + lanes_of<Real>);
  }
}

template <class Real>
alignas(64) constexpr Real zero_row[row_size<Real>] = {};

/// Row k of `rows`.
template <RowKind kind, class Real>
HWY_INLINE Value<Real> load_row_of(const Rows<const Real>& rows, std::ptrdiff_t k) {
  if constexpr (kind == RowKind::placed) {
    const std::ptrdiff_t place = rows.places[k];
    return load_row<RowKind::complex, Real>(place < 0 ? zero_row<Real> : rows.first + 2 * place);
  } else {
    return load_row<kind, Real>(rows.first + k * rows.step);
  }
}
template <RowKind kind, class Real>
HWY_INLINE void store_row_of(Value<Real> x, const Rows<Real>& rows, std::ptrdiff_t k) {
  if constexpr (kind == RowKind::placed) {
    const std::ptrdiff_t place = rows.places[k];
    if (place >= 0) store_row<RowKind::complex, Real>(x, rows.first + 2 * place);
  } else {
    store_row<kind, Real>(x, rows.first + k * rows.step);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
