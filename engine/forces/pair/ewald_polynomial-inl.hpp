// SPDX-License-Identifier: BSD-3-Clause
//
// Evaluates the fits of ewald_fit.hpp on vectors of r^2, compiled once per SIMD target. With 2^p
// pieces, adding 1.5 * 2^(24 - p) to r^2 rounds it to a multiple of their width, 2^(1 - p). The
// last p bits of the sum are the piece.

// Included once per target, hence no #pragma once.
#if defined(FG_FORCES_PAIR_EWALD_POLYNOMIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FORCES_PAIR_EWALD_POLYNOMIAL_INL
#undef FG_FORCES_PAIR_EWALD_POLYNOMIAL_INL
#else
#define FG_FORCES_PAIR_EWALD_POLYNOMIAL_INL
#endif

#include <hwy/highway.h>

#include <type_traits>

#include "base/bits.hpp"
#include "base/fused-inl.hpp"
#include "base/sized_vectors-inl.hpp"
#include "forces/pair/ewald_fit.hpp"

// Unrolling turns loops over rows and coefficients into straight code; otherwise arrays of vectors
// would be kept in memory.
#ifndef FG_UNROLL
#define FG_UNROLL _Pragma("GCC unroll 64")
#endif

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// The vectors of the pair kernels.
template <class Real>
using PairTag = hn::CappedTag<Real, std::is_same_v<Real, float> ? 16 : 8>;

/// The number of coefficients from which a lane can select one in one instruction. It is 1 if it
/// cannot, or if all targets shall use the same.
template <class Real, Bits bits>
constexpr int ewald_pieces = !std::is_same_v<Real, float> || bits == Bits::portable ? 1
                             : HWY_TARGET == HWY_AVX3                               ? 16
                             : HWY_TARGET == HWY_AVX2                               ? 4
                                                                                    : 1;

template <class Real, int terms, Bits bits>
class EwaldPolynomial {
  using D = PairTag<Real>;
  using Vec = sized::Vec<D>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int pieces = ewald_pieces<Real, bits>;

 public:
  /// The point of evaluation: the distance from the centre, and the piece.
  struct Place {
    Vec t, piece;
  };

  /// `fit`: [terms][pieces].
  explicit EwaldPolynomial(const Real* fit) {
    for (int k = 0; k < terms; ++k)
      for (int lane = 0; lane < lanes; ++lane)
        fit_[k * lanes + lane] = fit[pieces * k + lane % pieces];
  }

  static HWY_INLINE Place place(Vec r2) {
    const D d;
    if constexpr (pieces > 1) {
      const Vec magic = hn::Set(d, Real(1.5 * (1 << 24) / pieces));
      const Vec piece = hn::Add(r2, magic);
      return {hn::Sub(r2, hn::Sub(piece, magic)), piece};
    } else {
      return {hn::Sub(r2, hn::Set(d, Real(ewald_middle))), r2};
    }
  }

  /// Evaluates at n points together. One polynomial over the whole range is split as E(t^2) + t
  /// O(t^2). This is half the depth of Horner's rule for one extra product.
  template <int n>
  HWY_INLINE void evaluate(const Place* at, Vec* value) const {
    if constexpr (pieces > 1) {
      FG_UNROLL for (int k = 0; k < terms; ++k) {
        const Vec all = load(k);
        FG_UNROLL for (int r = 0; r < n; ++r) {
          const Vec coefficient = pick(all, at[r]);
          value[r] = k == 0 ? coefficient : fused::mul_add(value[r], at[r].t, coefficient);
        }
      }
    } else {
      Vec square[n], other[n];
      FG_UNROLL for (int r = 0; r < n; ++r) {
        square[r] = hn::Mul(at[r].t, at[r].t);
        value[r] = load(0);
        other[r] = load(1);
      }
      FG_UNROLL for (int k = 2; k < terms; ++k) {
        FG_UNROLL for (int r = 0; r < n; ++r) {
          Vec& half = k % 2 == 0 ? value[r] : other[r];
          half = fused::mul_add(half, square[r], load(k));
        }
      }
      // The half that used the last coefficient is the even one.
      FG_UNROLL for (int r = 0; r < n; ++r) {
        value[r] = terms % 2 == 0 ? fused::mul_add(value[r], at[r].t, other[r])
                                  : fused::mul_add(other[r], at[r].t, value[r]);
      }
    }
  }

 private:
  HWY_INLINE Vec load(int k) const { return hn::Load(D(), fit_ + k * lanes); }
  /// Each lane selects the number of its piece.
  static HWY_INLINE Vec pick(Vec all, const Place& at) {
#if HWY_TARGET == HWY_AVX2
    if constexpr (pieces == 4)
      return Vec{_mm256_permutevar_ps(all.raw, _mm256_castps_si256(at.piece.raw))};
#elif HWY_TARGET == HWY_AVX3
    if constexpr (pieces == 16)
      return Vec{_mm512_permutexvar_ps(_mm512_castps_si512(at.piece.raw), all.raw)};
#endif
    return all;
  }

  alignas(64) Real fit_[terms * lanes];
};

/// For force fields without Ewald sums.
template <class Real, Bits bits>
class EwaldPolynomial<Real, 0, bits> {
 public:
  struct Place {};
  explicit EwaldPolynomial(const Real*) {}
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
