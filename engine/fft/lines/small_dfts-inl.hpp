// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms of 2 to 16 points in registers, X_k = sum_j x_j exp(-2 pi i j k / R), one line in each
// lane. Primes by sums and differences of opposite points, coprime factors without twiddles between
// them. Sources: I. J. Good, J. R. Stat. Soc. B 20, 361 (1958); H. J. Nussbaumer, Fast Fourier
// Transform and Convolution Algorithms (1982).

// Included once per target, hence no #pragma once.
#if defined(FG_FFT_SMALL_DFTS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FFT_SMALL_DFTS_INL
#undef FG_FFT_SMALL_DFTS_INL
#else
#define FG_FFT_SMALL_DFTS_INL
#endif

#include <hwy/highway.h>

#include <utility>

#include "base/fused-inl.hpp"
#include "base/sized_vectors-inl.hpp"
#include "fft/lines/unit_root.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg::fft {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;
namespace fused = fg::HWY_NAMESPACE::fused;
namespace sized = fg::HWY_NAMESPACE::sized;

template <class Real>
using Lanes = hn::ScalableTag<Real>;
template <class Real>
using Vec = sized::Vec<Lanes<Real> >;

/// A complex number in each lane.
template <class Real>
struct Value {
  Vec<Real> re, im;

  friend HWY_INLINE Value operator+(Value a, Value b) {
    return {hn::Add(a.re, b.re), hn::Add(a.im, b.im)};
  }
  friend HWY_INLINE Value operator-(Value a, Value b) {
    return {hn::Sub(a.re, b.re), hn::Sub(a.im, b.im)};
  }
};

/// a - i b and a + i b
template <class Real>
HWY_INLINE Value<Real> minus_i(Value<Real> a, Value<Real> b) {
  return {hn::Add(a.re, b.im), hn::Sub(a.im, b.re)};
}
template <class Real>
HWY_INLINE Value<Real> plus_i(Value<Real> a, Value<Real> b) {
  return {hn::Sub(a.re, b.im), hn::Add(a.im, b.re)};
}

/// a + f b and a - f b for a real factor
template <class Real>
HWY_INLINE Value<Real> plus(Value<Real> a, Vec<Real> f, Value<Real> b) {
  return {fused::mul_add(f, b.re, a.re), fused::mul_add(f, b.im, a.im)};
}
template <class Real>
HWY_INLINE Value<Real> minus(Value<Real> a, Vec<Real> f, Value<Real> b) {
  return {fused::neg_mul_add(f, b.re, a.re), fused::neg_mul_add(f, b.im, a.im)};
}

/// x (c - i s)
template <class Real>
HWY_INLINE Value<Real> times(Value<Real> x, Vec<Real> c, Vec<Real> s) {
  return {fused::mul_add(x.im, s, hn::Mul(x.re, c)), fused::neg_mul_add(x.re, s, hn::Mul(x.im, c))};
}

template <class Real>
HWY_INLINE Vec<Real> constant(long double value) {
  return hn::Set(Lanes<Real>(), static_cast<Real>(value));
}

/// x exp(-2 pi i k / n)
template <int k, int n, class Real>
HWY_INLINE Value<Real> turned(Value<Real> x) {
  constexpr UnitRoot root = unit_root(k % n, n);
  if constexpr (k % n == 0)
    return x;
  else if constexpr (4 * k == n)
    return {x.im, hn::Neg(x.re)};
  else
    return times<Real>(x, constant<Real>(root.cosine), constant<Real>(root.sine));
}

/// body(i) for i = 0 .. n - 1, each a constant. The functions that use it are flattened, so that no
/// step is left as a call.
template <class Body, int... i>
HWY_INLINE void unroll_steps(Body&& body, std::integer_sequence<int, i...>) {
  (body(std::integral_constant<int, i>()), ...);
}
template <int n, class Body>
HWY_INLINE void unroll(Body&& body) {
  unroll_steps(body, std::make_integer_sequence<int, n>());
}

/// Odd primes: the points j and R - j share their factors.
template <int R, class Real>
struct SmallDft {
  static HWY_INLINE void run(Value<Real> (&x)[R]) {
    constexpr int half = (R - 1) / 2;
    Value<Real> sum[half], difference[half];
    unroll<half>([&](auto j) HWY_ATTR {
      sum[j] = x[j + 1] + x[R - 1 - j];
      difference[j] = x[j + 1] - x[R - 1 - j];
    });
    const Value<Real> first = x[0];
    unroll<half>([&](auto j) HWY_ATTR { x[0] = x[0] + sum[j]; });
    unroll<half>([&](auto i) HWY_ATTR {
      constexpr int k = i + 1;
      Value<Real> even = first;
      unroll<half>([&](auto j) HWY_ATTR {
        constexpr UnitRoot root = unit_root((j + 1) * k % R, R);
        even = plus<Real>(even, constant<Real>(root.cosine), sum[j]);
      });
      constexpr UnitRoot root = unit_root(k, R);
      Value<Real> odd{hn::Mul(constant<Real>(root.sine), difference[0].re),
                      hn::Mul(constant<Real>(root.sine), difference[0].im)};
      unroll<half - 1>([&](auto j) HWY_ATTR {
        constexpr UnitRoot next = unit_root((j + 2) * k % R, R);
        odd = plus<Real>(odd, constant<Real>(next.sine), difference[j + 1]);
      });
      x[k] = minus_i<Real>(even, odd);
      x[R - k] = plus_i<Real>(even, odd);
    });
  }
};

template <class Real>
struct SmallDft<2, Real> {
  static HWY_INLINE void run(Value<Real> (&x)[2]) {
    const Value<Real> sum = x[0] + x[1];
    x[1] = x[0] - x[1];
    x[0] = sum;
  }
};

template <class Real>
struct SmallDft<3, Real> {
  static HWY_INLINE void run(Value<Real> (&x)[3]) {
    constexpr UnitRoot root = unit_root(1, 3);
    const Vec<Real> sine = constant<Real>(root.sine);
    const Value<Real> sum = x[1] + x[2], difference = x[1] - x[2];
    const Value<Real> even = plus<Real>(x[0], constant<Real>(root.cosine), sum);
    x[0] = x[0] + sum;
    x[1] = {fused::mul_add(sine, difference.im, even.re),
            fused::neg_mul_add(sine, difference.re, even.im)};
    x[2] = {fused::neg_mul_add(sine, difference.im, even.re),
            fused::mul_add(sine, difference.re, even.im)};
  }
};

template <class Real>
struct SmallDft<4, Real> {
  static HWY_INLINE void run(Value<Real> (&x)[4]) {
    const Value<Real> a = x[0] + x[2], b = x[0] - x[2], c = x[1] + x[3], d = x[1] - x[3];
    x[0] = a + c;
    x[1] = minus_i<Real>(b, d);
    x[2] = a - c;
    x[3] = plus_i<Real>(b, d);
  }
};

template <class Real>
struct SmallDft<8, Real> {
  static HWY_INLINE void run(Value<Real> (&x)[8]) {
    Value<Real> even[4] = {x[0], x[2], x[4], x[6]}, odd[4] = {x[1], x[3], x[5], x[7]};
    SmallDft<4, Real>::run(even);
    SmallDft<4, Real>::run(odd);
    x[0] = even[0] + odd[0];
    x[4] = even[0] - odd[0];
    x[2] = minus_i<Real>(even[2], odd[2]);
    x[6] = plus_i<Real>(even[2], odd[2]);
    // exp(-i pi / 4) and exp(-3 i pi / 4): sums and differences of both parts, times 1 / sqrt 2.
    const Vec<Real> root = constant<Real>(unit_root(1, 8).cosine);
    const Value<Real> first{hn::Add(odd[1].re, odd[1].im), hn::Sub(odd[1].im, odd[1].re)};
    const Value<Real> third{hn::Sub(odd[3].im, odd[3].re), hn::Add(odd[3].re, odd[3].im)};
    x[1] = plus<Real>(even[1], root, first);
    x[5] = minus<Real>(even[1], root, first);
    x[3] = {fused::mul_add(root, third.re, even[3].re),
            fused::neg_mul_add(root, third.im, even[3].im)};
    x[7] = {fused::neg_mul_add(root, third.re, even[3].re),
            fused::mul_add(root, third.im, even[3].im)};
  }
};

/// A B points with A and B coprime: x_(B a + A b) gives X_k with k = ka mod A and k = kb mod B.
template <int A, int B, class Real>
struct CoprimeDft {
  static constexpr int wave(int ka, int kb) {
    int k = ka;
    while (k % B != kb) k += A;
    return k;
  }
  static HWY_INLINE void run(Value<Real> (&x)[A * B]) {
    Value<Real> y[B][A];
    unroll<B>([&](auto b) HWY_ATTR {
      unroll<A>([&](auto a) HWY_ATTR { y[b][a] = x[(B * a + A * b) % (A * B)]; });
      SmallDft<A, Real>::run(y[b]);
    });
    unroll<A>([&](auto a) HWY_ATTR {
      Value<Real> z[B];
      unroll<B>([&](auto b) HWY_ATTR { z[b] = y[b][a]; });
      SmallDft<B, Real>::run(z);
      unroll<B>([&](auto b) HWY_ATTR { x[wave(a, b)] = z[b]; });
    });
  }
};

/// A A points: x_(A a + b) gives X_(ka + A kb), with twiddles between the two steps.
template <int A, class Real>
struct SquareDft {
  static HWY_INLINE void run(Value<Real> (&x)[A * A]) {
    Value<Real> y[A][A];
    unroll<A>([&](auto b) HWY_ATTR {
      unroll<A>([&](auto a) HWY_ATTR { y[b][a] = x[A * a + b]; });
      SmallDft<A, Real>::run(y[b]);
    });
    unroll<A>([&](auto a) HWY_ATTR {
      Value<Real> z[A];
      unroll<A>([&](auto b) HWY_ATTR { z[b] = turned<a * b, A * A, Real>(y[b][a]); });
      SmallDft<A, Real>::run(z);
      unroll<A>([&](auto b) HWY_ATTR { x[a + A * b] = z[b]; });
    });
  }
};

template <class Real>
struct SmallDft<6, Real> : CoprimeDft<2, 3, Real> {};
template <class Real>
struct SmallDft<9, Real> : SquareDft<3, Real> {};
template <class Real>
struct SmallDft<10, Real> : CoprimeDft<2, 5, Real> {};
template <class Real>
struct SmallDft<12, Real> : CoprimeDft<3, 4, Real> {};
template <class Real>
struct SmallDft<15, Real> : CoprimeDft<3, 5, Real> {};
template <class Real>
struct SmallDft<16, Real> : SquareDft<4, Real> {};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg::fft
HWY_AFTER_NAMESPACE();

#endif
