// SPDX-License-Identifier: BSD-3-Clause
//
// The passes of line_plan.hpp over the rows of a group of lines. The first pass can take its rows
// from lines of adjacent elements, and the last one can put them there. The arithmetic of a lane
// depends neither on the other lanes nor on where its line comes from.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_PASSES_INL
#undef FG_FFT_PASSES_INL
#else
#define FG_FFT_PASSES_INL
#endif

#include <cstddef>

#include "fft/lines/line_plan.hpp"
#include "fft/lines/scattered_lines-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

/// `x` times the factor (c, s) at `factor`.
template <class Real>
HWY_INLINE Value<Real> times_factor(Value<Real> x, const Real* factor) {
  const Lanes<Real> d;
  return times<Real>(x, hn::Set(d, factor[0]), hn::Set(d, factor[1]));
}

/// The transform of points that are m rows of `work` apart, times the factors of wave 1, 2, ...
template <int R, class Real>
HWY_INLINE void transform_into(Value<Real> (&x)[R], const Real* factors, Real* work,
                               std::ptrdiff_t m) {
  SmallDft<R, Real>::run(x);
  store_row<RowKind::parts, Real>(x[0], work);
  unroll<R - 1>([&](auto i) HWY_ATTR {
    store_row<RowKind::parts, Real>(times_factor<Real>(x[i + 1], factors + 2 * i),
                                    work + (i + 1) * m * row_size<Real>);
  });
}

/// A pass with factors, to the same rows of `work`.
template <RowKind from, int R, class Real>
HWY_NOINLINE HWY_FLATTEN void inner_pass(const LinePass<Real>& pass, const Rows<const Real>& in,
                                         Real* work) {
  const std::ptrdiff_t m = pass.below;
  for (std::ptrdiff_t block = 0; block < pass.blocks; ++block) {
    const Real* factors = pass.factors.data();
    for (std::ptrdiff_t j = 0; j < m; ++j, factors += 2 * (R - 1)) {
      const std::ptrdiff_t row = block * R * m + j;
      Value<Real> x[R];
      unroll<R>([&](auto i) HWY_ATTR { x[i] = load_row_of<from, Real>(in, row + i * m); });
      transform_into<R, Real>(x, factors, work + row * row_size<Real>, m);
    }
  }
}

/// The first pass, from lines of adjacent elements.
template <int R, class Real>
HWY_NOINLINE HWY_FLATTEN void pass_from_lines(const LinePass<Real>& pass, const Real* in,
                                              const LineStarts<Real>& lines, Real* work) {
  const std::ptrdiff_t m = pass.below;
  for (std::ptrdiff_t next = 0; next < m; next += 2) {
    const std::ptrdiff_t j = next + 1 < m ? next : m - 2;  // the last two may overlap those before
    const Real* factors = pass.factors.data() + j * 2 * (R - 1);
    Value<Real> x[R], y[R];
    unroll<R>([&](auto i) HWY_ATTR {
      const Pair<Real> pair = load_pair(in + 2 * (j + i * m), lines);
      x[i] = pair.x, y[i] = pair.y;
    });
    transform_into<R, Real>(x, factors, work + j * row_size<Real>, m);
    transform_into<R, Real>(y, factors + 2 * (R - 1), work + (j + 1) * row_size<Real>, m);
  }
}

/// The transforms of the last pass: wave `wave` and every blocks-th one after it.
template <int R, class Real>
HWY_INLINE void load_and_transform(const LinePlan<Real>& plan, const Real* work,
                                   std::ptrdiff_t wave, Value<Real> (&x)[R]) {
  const Real* rows = work + plan.block_of_wave[wave] * R * row_size<Real>;
  unroll<R>([&](auto i)
                HWY_ATTR { x[i] = load_row<RowKind::parts, Real>(rows + i * row_size<Real>); });
  SmallDft<R, Real>::run(x);
}

/// The last pass, from `work` to the rows of the waves. With `reversed` it is wave -k instead of k,
/// which makes a forward transform a backward one.
template <RowKind to, int R, class Real>
HWY_NOINLINE HWY_FLATTEN void last_pass_to_rows(const LinePlan<Real>& plan, const Real* work,
                                                const Rows<Real>& out, bool reversed) {
  const std::ptrdiff_t blocks = plan.passes.back().blocks, n = plan.length;
  const std::ptrdiff_t apart = reversed ? -blocks : blocks;
  for (std::ptrdiff_t wave = 0; wave < blocks; ++wave) {
    Value<Real> x[R];
    load_and_transform<R, Real>(plan, work, wave, x);
    const std::ptrdiff_t target = reversed ? n - wave : wave;
    store_row_of<to, Real>(x[0], out, reversed && wave == 0 ? 0 : target);
    unroll<R - 1>(
        [&](auto i) HWY_ATTR { store_row_of<to, Real>(x[i + 1], out, target + (i + 1) * apart); });
  }
}

/// The last pass, to lines of adjacent elements.
template <int R, class Real>
HWY_NOINLINE HWY_FLATTEN void pass_to_lines(const LinePlan<Real>& plan, const Real* work,
                                            const LineStarts<Real>& lines, Real* out,
                                            bool reversed) {
  const std::ptrdiff_t blocks = plan.passes.back().blocks, n = plan.length;
  for (std::ptrdiff_t next = 0; next < blocks; next += 2) {
    const std::ptrdiff_t wave = next + 1 < blocks ? next : blocks - 2;
    Value<Real> x[R], y[R];
    load_and_transform<R, Real>(plan, work, wave, x);
    load_and_transform<R, Real>(plan, work, wave + 1, y);
    if (reversed) {
      Real* target = out + 2 * (n - wave - 1);
      if (wave == 0) {
        store_element<Real>(x[0], lines, out);
        store_element<Real>(y[0], lines, target);
      } else {
        store_pair(y[0], x[0], lines, target);
      }
      unroll<R - 1>([&](auto i) HWY_ATTR {
        store_pair(y[i + 1], x[i + 1], lines, target - 2 * (i + 1) * blocks);
      });
    } else {
      unroll<R>([&](auto i)
                    HWY_ATTR { store_pair(x[i], y[i], lines, out + 2 * (wave + i * blocks)); });
    }
  }
}

/// Calls body with the radix as a constant.
template <class Body>
HWY_INLINE void for_radix(int radix, Body&& body) {
  switch (radix) {
    case 2:
      return body(std::integral_constant<int, 2>());
    case 3:
      return body(std::integral_constant<int, 3>());
    case 4:
      return body(std::integral_constant<int, 4>());
    case 5:
      return body(std::integral_constant<int, 5>());
    case 6:
      return body(std::integral_constant<int, 6>());
    case 7:
      return body(std::integral_constant<int, 7>());
    case 8:
      return body(std::integral_constant<int, 8>());
    case 9:
      return body(std::integral_constant<int, 9>());
    case 10:
      return body(std::integral_constant<int, 10>());
    case 11:
      return body(std::integral_constant<int, 11>());
    case 12:
      return body(std::integral_constant<int, 12>());
    case 13:
      return body(std::integral_constant<int, 13>());
    case 15:
      return body(std::integral_constant<int, 15>());
    default:
      return body(std::integral_constant<int, 16>());
  }
}

/// Calls body with the kind as a constant.
template <class Body>
HWY_INLINE void for_kind(RowKind kind, Body&& body) {
  switch (kind) {
    case RowKind::complex:
      return body(std::integral_constant<RowKind, RowKind::complex>());
    case RowKind::parts:
      return body(std::integral_constant<RowKind, RowKind::parts>());
    default:
      return body(std::integral_constant<RowKind, RowKind::placed>());
  }
}

/// Each row times its factor, if there are factors. `in` and `out` may be the same rows unless the
/// order is reversed.
template <RowKind from, RowKind to, class Real>
HWY_NOINLINE HWY_FLATTEN void copy_rows(const Rows<const Real>& in, const Real* factors,
                                        const Rows<Real>& out, int count, bool reversed) {
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    Value<Real> x = load_row_of<from, Real>(in, k);
    if (factors != nullptr) x = times_factor<Real>(x, factors + 2 * k);
    store_row_of<to, Real>(x, out, reversed && k != 0 ? count - k : k);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
