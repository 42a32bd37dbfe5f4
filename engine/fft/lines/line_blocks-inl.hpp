// SPDX-License-Identifier: BSD-3-Clause
//
// Rows of a group of lines from lines that lie anywhere in an array, and back. Lines of adjacent
// elements are transposed in registers, one 128-bit block of each line at a time; all others are
// copied element by element. A group with fewer lines than lanes repeats its last line, which is
// then written more than once with the same values.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_LINE_BLOCKS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_LINE_BLOCKS_INL
#undef FG_FFT_LINE_BLOCKS_INL
#else
#define FG_FFT_LINE_BLOCKS_INL
#endif

#include <complex>

#include "fft/lines/passes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

/// Where the lines of a group begin, in reals from the beginning of the array.
template <class Real>
struct LineStarts {
  std::ptrdiff_t at[lanes_of<Real>];
};

/// Lines whose elements are `step` reals apart, to rows of complex numbers.
template <class Real>
HWY_NOINLINE void copy_lines_in(const Real* in, const LineStarts<Real>& lines, std::ptrdiff_t step,
                                int length, Real* rows) {
  for (std::ptrdiff_t k = 0; k < length; ++k, rows += row_size<Real>)
    for (std::ptrdiff_t lane = 0; lane < lanes_of<Real>; ++lane) {
      const Real* from = in + lines.at[lane] + k * step;
      rows[2 * lane] = from[0], rows[2 * lane + 1] = from[1];
    }
}

template <class Real>
HWY_NOINLINE void copy_lines_out(const Real* rows, const LineStarts<Real>& lines,
                                 std::ptrdiff_t step, int length, Real* out) {
  for (std::ptrdiff_t k = 0; k < length; ++k, rows += row_size<Real>)
    for (std::ptrdiff_t lane = 0; lane < lanes_of<Real>; ++lane) {
      Real* to = out + lines.at[lane] + k * step;
      to[0] = rows[2 * lane], to[1] = rows[2 * lane + 1];
    }
}

#if HWY_TARGET != HWY_SCALAR

template <class Real>
using Block = hn::Simd<Real, 16 / sizeof(Real), 0>;

/// The 128 bits at `offset` of each step-th line from `first` on.
template <int first, int step, class D, class Real>
HWY_INLINE hn::VFromD<D> load_blocks(D d, const Real* in, const std::ptrdiff_t* lines) {
  if constexpr (hn::MaxLanes(D()) == 16 / sizeof(Real)) {
    return hn::LoadU(d, in + lines[first]);
  } else {
    const hn::Half<D> half;
    constexpr int blocks = static_cast<int>(hn::MaxLanes(half) * sizeof(Real) / 16);
    return hn::Combine(d, load_blocks<first + step * blocks, step>(half, in, lines),
                       load_blocks<first, step>(half, in, lines));
  }
}
template <int first, int step, class D, class Real>
HWY_INLINE void store_blocks(D d, hn::VFromD<D> v, Real* out, const std::ptrdiff_t* lines) {
  if constexpr (hn::MaxLanes(D()) == 16 / sizeof(Real)) {
    hn::StoreU(v, d, out + lines[first]);
  } else {
    const hn::Half<D> half;
    constexpr int blocks = static_cast<int>(hn::MaxLanes(half) * sizeof(Real) / 16);
    store_blocks<first, step>(half, hn::LowerHalf(half, v), out, lines);
    store_blocks<first + step * blocks, step>(half, hn::UpperHalf(half, v), out, lines);
  }
}

/// In each 128-bit block: the lower, or the upper, half of a and then that of b.
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

/// The elements in one 128-bit block of each line, one of double and two of float, as rows of parts.
HWY_INLINE void load_block_rows(const double* in, const std::ptrdiff_t* lines, double* rows) {
  const Lanes<double> d;
  const Vec<double> a = load_blocks<0, 2>(d, in, lines), b = load_blocks<1, 2>(d, in, lines);
  hn::Store(hn::InterleaveLower(d, a, b), d, rows);
  hn::Store(hn::InterleaveUpper(d, a, b), d, rows + lanes_of<double>);
}
HWY_INLINE void store_block_rows(const double* rows, const std::ptrdiff_t* lines, double* out) {
  const Lanes<double> d;
  const Vec<double> re = hn::Load(d, rows), im = hn::Load(d, rows + lanes_of<double>);
  store_blocks<0, 2>(d, hn::InterleaveLower(d, re, im), out, lines);
  store_blocks<1, 2>(d, hn::InterleaveUpper(d, re, im), out, lines);
}
HWY_INLINE void load_block_rows(const float* in, const std::ptrdiff_t* lines, float* rows) {
  const Lanes<float> d;
  constexpr std::ptrdiff_t part = lanes_of<float>;
  const Vec<float> a = load_blocks<0, 4>(d, in, lines), b = load_blocks<1, 4>(d, in, lines);
  const Vec<float> e = load_blocks<2, 4>(d, in, lines), f = load_blocks<3, 4>(d, in, lines);
  // re re im im of one element and two lines
  const Vec<float> ab0 = hn::InterleaveLower(d, a, b), ab1 = hn::InterleaveUpper(d, a, b);
  const Vec<float> ef0 = hn::InterleaveLower(d, e, f), ef1 = hn::InterleaveUpper(d, e, f);
  hn::Store(lower_halves(d, ab0, ef0), d, rows);
  hn::Store(upper_halves(d, ab0, ef0), d, rows + part);
  hn::Store(lower_halves(d, ab1, ef1), d, rows + 2 * part);
  hn::Store(upper_halves(d, ab1, ef1), d, rows + 3 * part);
}
HWY_INLINE void store_block_rows(const float* rows, const std::ptrdiff_t* lines, float* out) {
  const Lanes<float> d;
  constexpr std::ptrdiff_t part = lanes_of<float>;
  const Vec<float> re0 = hn::Load(d, rows), im0 = hn::Load(d, rows + part);
  const Vec<float> re1 = hn::Load(d, rows + 2 * part), im1 = hn::Load(d, rows + 3 * part);
  // both parts of one element and two lines
  const Vec<float> ab0 = hn::InterleaveLower(d, re0, im0), ef0 = hn::InterleaveUpper(d, re0, im0);
  const Vec<float> ab1 = hn::InterleaveLower(d, re1, im1), ef1 = hn::InterleaveUpper(d, re1, im1);
  store_blocks<0, 4>(d, lower_halves(d, ab0, ab1), out, lines);
  store_blocks<1, 4>(d, upper_halves(d, ab0, ab1), out, lines);
  store_blocks<2, 4>(d, lower_halves(d, ef0, ef1), out, lines);
  store_blocks<3, 4>(d, upper_halves(d, ef0, ef1), out, lines);
}

#endif

/// Lines of adjacent elements, to rows of parts.
template <class Real>
HWY_NOINLINE void transpose_lines_in(const Real* in, const LineStarts<Real>& lines, int length,
                                     Real* rows) {
  std::ptrdiff_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::ptrdiff_t elements = 8 / sizeof(Real);
  for (; k + elements <= length; k += elements)
    load_block_rows(in + 2 * k, lines.at, rows + k * row_size<Real>);
#endif
  for (; k < length; ++k)
    for (std::ptrdiff_t lane = 0; lane < lanes_of<Real>; ++lane) {
      rows[k * row_size<Real> + lane] = in[lines.at[lane] + 2 * k];
      rows[k * row_size<Real> + lanes_of<Real> + lane] = in[lines.at[lane] + 2 * k + 1];
    }
}

template <class Real>
HWY_NOINLINE void transpose_lines_out(const Real* rows, const LineStarts<Real>& lines, int length,
                                      Real* out) {
  std::ptrdiff_t k = 0;
#if HWY_TARGET != HWY_SCALAR
  constexpr std::ptrdiff_t elements = 8 / sizeof(Real);
  for (; k + elements <= length; k += elements)
    store_block_rows(rows + k * row_size<Real>, lines.at, out + 2 * k);
#endif
  for (; k < length; ++k)
    for (std::ptrdiff_t lane = 0; lane < lanes_of<Real>; ++lane) {
      out[lines.at[lane] + 2 * k] = rows[k * row_size<Real> + lane];
      out[lines.at[lane] + 2 * k + 1] = rows[k * row_size<Real> + lanes_of<Real> + lane];
    }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
