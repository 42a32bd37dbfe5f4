// SPDX-License-Identifier: BSD-3-Clause
//
// Vectors of several quads (particles/neighbourhood.hpp): how they are put together from where the
// quads lie, and taken apart again. Compiled once per SIMD target.

// Included once per target, hence no #pragma once.
#if defined(FG_FORCES_PAIR_QUAD_VECTORS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FORCES_PAIR_QUAD_VECTORS_INL
#undef FG_FORCES_PAIR_QUAD_VECTORS_INL
#else
#define FG_FORCES_PAIR_QUAD_VECTORS_INL
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <cstdint>
#include <type_traits>
#include <utility>

#include "forces/pair/ewald_polynomial-inl.hpp"
#include "particles/neighbourhood.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

template <class Real>
struct QuadVectors {
  using D = PairTag<Real>;
  using DU = hn::RebindToUnsigned<D>;
  using Vec = sized::Vec<D>;
  using Mask = sized::Mask<D>;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  /// Quads per vector; if a vector has fewer than four numbers, a quad is handled in parts.
  static constexpr int group = lanes < 4 ? 1 : lanes / 4;
  /// Into how many parts.
  static constexpr int parts = lanes < 4 ? 4 / lanes : 1;
  /// The quads of a vector of 64 bytes: the longest that there are.
  static constexpr int longest_group = 16 / static_cast<int>(sizeof(Real));

  /// The quads of partners in a vector.
  struct Quads {
    Real* at[group];
  };
  /// The vector of quad_of(tag, k) for the quads k of a vector.
  template <class Tag, class QuadOf>
  static HWY_INLINE hn::Vec<Tag> join(Tag d, const QuadOf& quad_of, int first = 0) {
#if HWY_MAX_BYTES >= 32
    constexpr int half = static_cast<int>(hn::MaxLanes(Tag())) / 8;
    if constexpr (half > 0) {
      const hn::Half<Tag> dh;
      return hn::Combine(d, join(dh, quad_of, first + half), join(dh, quad_of, first));
    } else
#endif
      return quad_of(d, first);
  }
  /// Calls each(tag, quad, k) for the quads k of a vector, in order.
  template <class Tag, class Each>
  static HWY_INLINE void for_quads(Tag d, hn::Vec<Tag> v, const Each& each, int first = 0) {
#if HWY_MAX_BYTES >= 32
    constexpr int half = static_cast<int>(hn::MaxLanes(Tag())) / 8;
    if constexpr (half > 0) {
      const hn::Half<Tag> dh;
      for_quads(dh, hn::LowerHalf(dh, v), each, first);
      for_quads(dh, hn::UpperHalf(dh, v), each, first + half);
    } else
#endif
      each(d, v, first);
  }

  /// A quantity of all quads of a vector.
  static HWY_INLINE Vec load(const Quads& quads, int field) {
    return join(D(), [&](auto d, int k) HWY_ATTR { return hn::Load(d, quads.at[k] + field); });
  }
  /// Adds to it.
  static HWY_INLINE void add(const Quads& quads, int field, Vec value) {
    for_quads(D(), value, [&](auto d, auto quad, int k) HWY_ATTR {
      Real* const at = quads.at[k] + field;
      hn::Store(hn::Add(quad, hn::Load(d, at)), d, at);
    });
  }

  /// Lanes whose bit of `row` is set; `first` is 0 for "not excluded", 16 for "the pair exists".
  static HWY_INLINE Mask mask(const std::uint32_t* bits, int row, int first, int part) {
    const DU d;
    using Word = hn::TFromD<DU>;
    const auto words = join(
        d, [&](auto quad, int k) HWY_ATTR { return hn::Set(quad, static_cast<Word>(bits[k])); });
    alignas(64) Word lane_bit[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      lane_bit[lane] = Word{1} << (first + 4 * ((lane + part) % 4) + row);
    return hn::RebindMask(D(), hn::TestBit(words, hn::Load(d, lane_bit)));
  }

  /// Brings quads into the nearest cache; a neighbourhood fits the second one.
  static HWY_INLINE void ask_for(const Real* data, const std::uint32_t* quads) {
    constexpr int line = 64 / sizeof(Real);
    FG_UNROLL for (int q = 0; q < group; ++q) {
      FG_UNROLL for (int at = 0; at < quad::stride; at += line) hwy::Prefetch(data + quads[q] + at);
    }
  }

  /// `sum` and the numbers of the lanes, one after the other.
  static HWY_INLINE double add_lanes(double sum, Vec v) {
    alignas(64) Real lane[lanes];
    hn::Store(v, D(), lane);
    for (int k = 0; k < lanes; ++k) sum += lane[k];
    return sum;
  }

  /// The sums over lanes of four vectors. Several that follow each other may be the parts of longer
  /// ones. Double precision adds lane after lane. Single precision first adds the lanes of a quad,
  /// (0 + 2) + (1 + 3), then quad after quad.
  struct RowTotals {
    using Sum = std::conditional_t<std::is_same_v<Real, float>, float, double>;
    alignas(16) Sum sum[4];
    Real column[lanes < 4 ? 16 : 1];  // [column][row] of a quad that comes in parts

    HWY_INLINE void clear() {
      for (Sum& one : sum) one = 0;
    }
    /// `part`: the first column of a quad in the vectors.
    HWY_INLINE void add(const Vec* v, [[maybe_unused]] int part) {
      if constexpr (!std::is_same_v<Real, float>) {
        for (int row = 0; row < 4; ++row) sum[row] = add_lanes(sum[row], v[row]);
      } else if constexpr (lanes < 4) {
        for (int row = 0; row < 4; ++row) column[4 * part + row] = hn::GetLane(v[row]);
        if (part < 3) return;
        for (int row = 0; row < 4; ++row)
          sum[row] += (column[row] + column[8 + row]) + (column[4 + row] + column[12 + row]);
      } else {
        add_quads(v);
      }
    }
    HWY_INLINE void subtract_from(Real* to) const {
#if HWY_MAX_BYTES >= 16
      if constexpr (std::is_same_v<Real, float>) {
        const hn::CappedTag<float, 4> d4;
        hn::Store(hn::Sub(hn::Load(d4, to), hn::Load(d4, sum)), d4, to);
        return;
      }
#endif
      for (int row = 0; row < 4; ++row) to[row] -= static_cast<Real>(sum[row]);
    }

   private:
    HWY_INLINE void add_quads([[maybe_unused]] const Vec* v) {
#if HWY_MAX_BYTES >= 16
      // Transpose and add in blocks of four: a lane of the result is the sum of one of the four.
      const D d;
      const hn::Repartition<double, D> pairs;
      const auto sum_of_both = [](auto tag, auto a, auto b) HWY_ATTR {
        return hn::Add(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
      };
      const auto a = hn::BitCast(pairs, sum_of_both(d, v[0], v[1]));
      const auto b = hn::BitCast(pairs, sum_of_both(d, v[2], v[3]));
      const auto low = hn::InterleaveLower(pairs, a, b), high = hn::InterleaveUpper(pairs, a, b);
      const hn::CappedTag<float, 4> d4;
      auto all = hn::Load(d4, sum);
      for_quads(d, hn::Add(hn::BitCast(d, low), hn::BitCast(d, high)),
                [&](auto, auto quad, int) HWY_ATTR { all = hn::Add(all, quad); });
      hn::Store(all, d4, sum);
#endif
    }
  };
};

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
