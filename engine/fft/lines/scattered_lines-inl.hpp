// SPDX-License-Identifier: BSD-3-Clause
//
// Elements of lines that lie anywhere in an array, to and from vectors with a line in each lane.
// Two adjacent elements of each line are transposed in registers. A group with fewer lines than
// lanes repeats its last line. This line is then written more than once with the same values.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_SCATTERED_LINES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_SCATTERED_LINES_INL
#undef FG_FFT_SCATTERED_LINES_INL
#else
#define FG_FFT_SCATTERED_LINES_INL
#endif

#include "fft/lines/rows-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

/// Where the lines of a group begin, in reals from the beginning of the array.
template <class Real>
struct LineStarts {
  std::ptrdiff_t at[lanes_of<Real>];
};

/// One element of each line, `in` being that of a line that begins at 0.
template <class Real>
HWY_INLINE Value<Real> load_element(const Real* in, const LineStarts<Real>& lines) {
  HWY_ALIGN Real row[row_size<Real>];
  for (std::ptrdiff_t l = 0; l < lanes_of<Real>; ++l)
    row[2 * l] = in[lines.at[l]], row[2 * l + 1] = in[lines.at[l] + 1];
  return load_row<RowKind::complex, Real>(row);
}
template <class Real>
HWY_INLINE void store_element(Value<Real> x, const LineStarts<Real>& lines, Real* out) {
  HWY_ALIGN Real row[row_size<Real>];
  store_row<RowKind::complex, Real>(x, row);
  for (std::ptrdiff_t l = 0; l < lanes_of<Real>; ++l)
    out[lines.at[l]] = row[2 * l], out[lines.at[l] + 1] = row[2 * l + 1];
}

template <class Real>
struct Pair {
  Value<Real> x, y;
};

#if HWY_TARGET == HWY_SCALAR

template <class Real>
HWY_INLINE Pair<Real> load_pair(const Real* in, const LineStarts<Real>& lines) {
  return {load_element<Real>(in, lines), load_element<Real>(in + 2, lines)};
}
template <class Real>
HWY_INLINE void store_pair(Value<Real> x, Value<Real> y, const LineStarts<Real>& lines, Real* out) {
  store_element<Real>(x, lines, out);
  store_element<Real>(y, lines, out + 2);
}

#else

/// Pieces of `bytes` of the lines first, first + step, ... fill a vector.
template <int bytes, int first, int step, class D, class Real>
HWY_INLINE hn::VFromD<D> load_pieces(D d, const Real* in, const LineStarts<Real>& lines) {
  if constexpr (sized::lanes(D()) * sizeof(Real) == bytes) {
    return hn::LoadU(d, in + lines.at[first]);
  } else {
    const hn::Half<D> half;
    constexpr int pieces = static_cast<int>(sized::lanes(half) * sizeof(Real)) / bytes;
    return hn::Combine(d, load_pieces<bytes, first + step * pieces, step>(half, in, lines),
                       load_pieces<bytes, first, step>(half, in, lines));
  }
}
template <int bytes, int first, int step, class D, class Real>
HWY_INLINE void store_pieces(D d, hn::VFromD<D> v, const LineStarts<Real>& lines, Real* out) {
  if constexpr (sized::lanes(D()) * sizeof(Real) == bytes) {
    hn::StoreU(v, d, out + lines.at[first]);
  } else {
    const hn::Half<D> half;
    constexpr int pieces = static_cast<int>(sized::lanes(half) * sizeof(Real)) / bytes;
    store_pieces<bytes, first, step>(half, hn::LowerHalf(half, v), lines, out);
    store_pieces<bytes, first + step * pieces, step>(half, hn::UpperHalf(half, v), lines, out);
  }
}

/// Each 128-bit block gets the lower, or the upper, half of a and then that of b.
template <class D>
HWY_INLINE hn::VFromD<D> lower_halves(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const hn::Repartition<double, D> dd;
  return hn::BitCast(d, hn::InterleaveLower(dd, hn::BitCast(dd, a), hn::BitCast(dd, b)));
}
template <class D>
HWY_INLINE hn::VFromD<D> upper_halves(D d, hn::VFromD<D> a, hn::VFromD<D> b) {
  const hn::Repartition<double, D> dd;
  return hn::BitCast(d, hn::InterleaveUpper(dd, hn::BitCast(dd, a), hn::BitCast(dd, b)));
}

/// Two elements of float are a 128-bit block: re im re im of one line.
HWY_INLINE Pair<float> load_pair(const float* in, const LineStarts<float>& lines) {
  const Lanes<float> d;
  constexpr int half = lanes_of<float> / 2;
  const Vec<float> a = load_pieces<16, 0, 2>(d, in, lines);
  const Vec<float> b = load_pieces<16, half, 2>(d, in, lines);
  const Vec<float> e = load_pieces<16, 1, 2>(d, in, lines);
  const Vec<float> f = load_pieces<16, half + 1, 2>(d, in, lines);
  // re re im im of one element and two lines
  const Vec<float> ab0 = hn::InterleaveLower(d, a, b), ab1 = hn::InterleaveUpper(d, a, b);
  const Vec<float> ef0 = hn::InterleaveLower(d, e, f), ef1 = hn::InterleaveUpper(d, e, f);
  return {{lower_halves(d, ab0, ef0), upper_halves(d, ab0, ef0)},
          {lower_halves(d, ab1, ef1), upper_halves(d, ab1, ef1)}};
}
HWY_INLINE void store_pair(Value<float> x, Value<float> y, const LineStarts<float>& lines,
                           float* out) {
  const Lanes<float> d;
  constexpr int half = lanes_of<float> / 2;
  // both parts of one element and two lines
  const Vec<float> ab0 = hn::InterleaveLower(d, x.re, x.im);
  const Vec<float> ef0 = hn::InterleaveUpper(d, x.re, x.im);
  const Vec<float> ab1 = hn::InterleaveLower(d, y.re, y.im);
  const Vec<float> ef1 = hn::InterleaveUpper(d, y.re, y.im);
  store_pieces<16, 0, 2>(d, lower_halves(d, ab0, ab1), lines, out);
  store_pieces<16, half, 2>(d, upper_halves(d, ab0, ab1), lines, out);
  store_pieces<16, 1, 2>(d, lower_halves(d, ef0, ef1), lines, out);
  store_pieces<16, half + 1, 2>(d, upper_halves(d, ef0, ef1), lines, out);
}

/// Two vectors of elements, x and y, of the lines first, first + 1, ...: a block for each element.
template <int first>
HWY_INLINE void load_elements(const double* in, const LineStarts<double>& lines, Vec<double>& x,
                              Vec<double>& y) {
  const Lanes<double> d;
  if constexpr (lanes_of<double> == 2) {
    x = load_pieces<16, first, 1>(d, in, lines), y = load_pieces<16, first, 1>(d, in + 2, lines);
  } else {
    const Vec<double> even = load_pieces<32, first, 2>(d, in, lines);
    const Vec<double> odd = load_pieces<32, first + 1, 2>(d, in, lines);
    x = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(odd), even);
    y = hn::OddEvenBlocks(odd, hn::SwapAdjacentBlocks(even));
  }
}
template <int first>
HWY_INLINE void store_elements(Vec<double> x, Vec<double> y, const LineStarts<double>& lines,
                               double* out) {
  const Lanes<double> d;
  if constexpr (lanes_of<double> == 2) {
    store_pieces<16, first, 1>(d, x, lines, out), store_pieces<16, first, 1>(d, y, lines, out + 2);
  } else {
    const Vec<double> even = hn::OddEvenBlocks(hn::SwapAdjacentBlocks(y), x);
    const Vec<double> odd = hn::OddEvenBlocks(y, hn::SwapAdjacentBlocks(x));
    store_pieces<32, first, 2>(d, even, lines, out);
    store_pieces<32, first + 1, 2>(d, odd, lines, out);
  }
}

HWY_INLINE Pair<double> load_pair(const double* in, const LineStarts<double>& lines) {
  Vec<double> xa, ya, xb, yb;
  load_elements<0>(in, lines, xa, ya);
  load_elements<lanes_of<double> / 2>(in, lines, xb, yb);
  return {parts_of<double>(xa, xb), parts_of<double>(ya, yb)};
}
HWY_INLINE void store_pair(Value<double> x, Value<double> y, const LineStarts<double>& lines,
                           double* out) {
  const Value<double> xs = sides_of<double>(x), ys = sides_of<double>(y);
  store_elements<0>(xs.re, ys.re, lines, out);
  store_elements<lanes_of<double> / 2>(xs.im, ys.im, lines, out);
}

#endif

/// From lines to rows of parts, and back, where no pass does this itself. The elements of a line
/// are `step` reals apart, or at the places of a table.
template <class Real>
HWY_NOINLINE void gather_lines(const Real* in, const LineStarts<Real>& lines, std::ptrdiff_t step,
                               const std::int64_t* places, int length, Real* rows) {
  std::ptrdiff_t k = 0;
  for (; places != nullptr && k < length; ++k) {
    Real* const row = rows + k * row_size<Real>;
    if (places[k] < 0)
      store_row<RowKind::parts, Real>(load_row<RowKind::parts, Real>(zero_row<Real>), row);
    else
      store_row<RowKind::parts, Real>(load_element<Real>(in + 2 * places[k], lines), row);
  }
  for (; step == 2 && k + 2 <= length; k += 2) {
    const Pair<Real> pair = load_pair(in + 2 * k, lines);
    store_row<RowKind::parts, Real>(pair.x, rows + k * row_size<Real>);
    store_row<RowKind::parts, Real>(pair.y, rows + (k + 1) * row_size<Real>);
  }
  for (; k < length; ++k)
    store_row<RowKind::parts, Real>(load_element<Real>(in + k * step, lines),
                                    rows + k * row_size<Real>);
}
template <class Real>
HWY_NOINLINE void scatter_lines(const Real* rows, const LineStarts<Real>& lines,
                                std::ptrdiff_t step, const std::int64_t* places, int length,
                                Real* out) {
  std::ptrdiff_t k = 0;
  for (; places != nullptr && k < length; ++k)
    if (places[k] >= 0)
      store_element<Real>(load_row<RowKind::parts, Real>(rows + k * row_size<Real>), lines,
                          out + 2 * places[k]);
  for (; step == 2 && k + 2 <= length; k += 2)
    store_pair(load_row<RowKind::parts, Real>(rows + k * row_size<Real>),
               load_row<RowKind::parts, Real>(rows + (k + 1) * row_size<Real>), lines, out + 2 * k);
  for (; k < length; ++k)
    store_element<Real>(load_row<RowKind::parts, Real>(rows + k * row_size<Real>), lines,
                        out + k * step);
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
