// SPDX-License-Identifier: BSD-3-Clause
//
// The passes of line_plan.hpp over the rows of a group of lines. Row k holds element k of as many
// lines as a vector has lanes: complex numbers side by side, as arrays have them, or all real parts
// and then all imaginary parts, as the passes have them between each other. The arithmetic of a
// lane does not depend on the other lanes.

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_PASSES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_PASSES_INL
#undef FG_FFT_PASSES_INL
#else
#define FG_FFT_PASSES_INL
#endif

#include <cstddef>

#include "fft/lines/line_plan.hpp"
#include "fft/lines/small_dfts-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

enum class RowKind { complex, parts };

/// Rows `step` reals apart.
template <class R>
struct Rows {
  R* first;
  std::ptrdiff_t step;
  RowKind kind;

  operator Rows<const R>() const { return {first, step, kind}; }
};

/// The reals of a row: a vector of real and one of imaginary parts.
template <class Real>
constexpr std::ptrdiff_t lanes_of = static_cast<std::ptrdiff_t>(hn::MaxLanes(Lanes<Real>()));
template <class Real>
constexpr std::ptrdiff_t row_size = 2 * lanes_of<Real>;

template <RowKind kind, class Real>
HWY_INLINE Value<Real> load_row(const Real* row) {
  const Lanes<Real> d;
  Value<Real> x;
  if constexpr (kind == RowKind::complex)
    hn::LoadInterleaved2(d, row, x.re, x.im);
  else
    x = {hn::Load(d, row), hn::Load(d, row + lanes_of<Real>)};
  return x;
}

template <RowKind kind, class Real>
HWY_INLINE void store_row(Value<Real> x, Real* row) {
  const Lanes<Real> d;
  if constexpr (kind == RowKind::complex) {
    hn::StoreInterleaved2(x.re, x.im, d, row);
  } else {
    hn::Store(x.re, d, row);
    hn::Store(x.im, d, row + lanes_of<Real>);
  }
}

/// `x` times the factor (c, s) at `factor`.
template <class Real>
HWY_INLINE Value<Real> times_factor(Value<Real> x, const Real* factor) {
  const Lanes<Real> d;
  return times<Real>(x, hn::Set(d, factor[0]), hn::Set(d, factor[1]));
}

/// A pass with factors, from rows `step` apart to the same rows of `work`.
template <RowKind from, int R, class Real>
HWY_NOINLINE void inner_pass(const LinePass<Real>& pass, const Real* in, std::ptrdiff_t step,
                             Real* work) {
  const std::ptrdiff_t m = pass.below;
  for (std::ptrdiff_t block = 0; block < pass.blocks; ++block) {
    const Real* factor = pass.factors.data();
    for (std::ptrdiff_t j = 0; j < m; ++j, factor += 2 * (R - 1)) {
      const std::ptrdiff_t row = block * R * m + j;
      const Real* source = in + row * step;
      Real* target = work + row * row_size<Real>;
      Value<Real> x[R];
      unroll<R>([&](auto i) FG_STEP { x[i] = load_row<from, Real>(source + i * m * step); });
      SmallDft<R, Real>::run(x);
      store_row<RowKind::parts, Real>(x[0], target);
      unroll<R - 1>([&](auto i) FG_STEP {
        store_row<RowKind::parts, Real>(times_factor<Real>(x[i + 1], factor + 2 * i),
                                        target + (i + 1) * m * row_size<Real>);
      });
    }
  }
}

/// The last pass, from `work` to the rows of the waves; `reversed`: wave -k instead of k, which
/// makes a forward transform a backward one.
template <RowKind to, int R, class Real>
HWY_NOINLINE void last_pass(const LinePlan<Real>& plan, const Real* work, Real* out,
                            std::ptrdiff_t step, bool reversed) {
  const std::ptrdiff_t blocks = plan.passes.back().blocks;
  const std::ptrdiff_t apart = (reversed ? -blocks : blocks) * step;
  for (std::ptrdiff_t block = 0; block < blocks; ++block) {
    const Real* source = work + block * R * row_size<Real>;
    Value<Real> x[R];
    unroll<R>([&](auto i) FG_STEP {
      x[i] = load_row<RowKind::parts, Real>(source + i * row_size<Real>);
    });
    SmallDft<R, Real>::run(x);
    const std::ptrdiff_t wave = plan.first_waves[block];
    Real* target = out + (reversed ? plan.length - wave : wave) * step;
    store_row<to, Real>(x[0], reversed && wave == 0 ? out : target);
    unroll<R - 1>(
        [&](auto i) FG_STEP { store_row<to, Real>(x[i + 1], target + (i + 1) * apart); });
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

/// Each row times its factor, if there are factors; `in` and `out` may be the same rows unless the
/// order is reversed.
template <RowKind from, RowKind to, class Real>
HWY_NOINLINE void copy_rows(Rows<const Real> in, const Real* factors, Rows<Real> out, int count,
                            bool reversed) {
  for (std::ptrdiff_t k = 0; k < count; ++k) {
    Value<Real> x = load_row<from, Real>(in.first + k * in.step);
    if (factors != nullptr) x = times_factor<Real>(x, factors + 2 * k);
    store_row<to, Real>(x, out.first + (reversed && k != 0 ? count - k : k) * out.step);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
