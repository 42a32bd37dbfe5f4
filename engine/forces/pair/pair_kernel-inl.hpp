// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels, compiled once per SIMD target. A row keeps the four atoms of its home quad,
// broadcast, and sweeps over its partners, as many quads at a time as fill a vector. With y ~ 1/r
// from the processor's estimate and h = r^2 y^2, one correction of second order gives
//   1/r^2 = y^2 (2 - h),   1/r^3 = 3/2 y^3 (5/3 - h),   both to O((1 - h)^2);
// the factors 3/2 and the like are included in the charges and in the Ewald fit. Double precision
// divides. The cutoff is one mask on the final force, so intermediate values beyond it may be
// infinite.

// Included once per target, hence no #pragma once.
#if defined(FG_FORCES_PAIR_KERNEL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_FORCES_PAIR_KERNEL_INL
#undef FG_FORCES_PAIR_KERNEL_INL
#else
#define FG_FORCES_PAIR_KERNEL_INL
#endif

#include <hwy/highway.h>

#include <type_traits>
#include <utility>

#include "forces/pair/ewald_polynomial-inl.hpp"
#include "forces/pair/lennard_jones_switch-inl.hpp"
#include "forces/pair/pair_kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// terms: number of terms of the Ewald fit, or 0 for the reaction field (and for the plain sum,
/// which is a reaction field with k = 0).
template <class RealType, int terms_, LennardJonesKind lennard_jones, bool energies_>
struct Variant {
  using Real = RealType;
  static constexpr int terms = terms_;
  static constexpr bool ewald = terms_ > 0;
  static constexpr bool switched = lennard_jones.switched;
  static constexpr bool typed = lennard_jones.typed;
  static constexpr bool energies = energies_;
};

template <class V>
class RowSweep {
  using Real = typename V::Real;
  using D = hn::CappedTag<Real, 8>;
  using DU = hn::RebindToUnsigned<D>;
  using DI = hn::RebindToSigned<D>;
  using Vec = hn::Vec<D>;
  using Mask = hn::Mask<D>;
  using Fit = EwaldPolynomial<Real, V::terms>;
  using Place = typename Fit::Place;
  static constexpr int lanes = static_cast<int>(hn::MaxLanes(D()));
  static constexpr int home_numbers = 6;  // x y z charge half_sigma root_epsilon
  static constexpr bool corrected = std::is_same_v<Real, float>;
  /// Rows computed side by side, to hide latencies when two threads share a core.
  static constexpr int side_by_side = 4;

 public:
  static constexpr int group = lanes < 4 ? 1 : lanes / 4;

  RowSweep(const PairConstants<Real>& constants, Real* data)
      : c_(constants),
        data_(data),
        force_fit_(constants.force_fit.data()),
        energy_fit_(constants.energy_fit.data()) {}

  HWY_INLINE void run(const PairList& list, const PairRow& row) {
    // Few forms, for the compiler's sake: of all rows, or of those with Lennard-Jones only.
    constexpr bool whole = V::energies || V::switched;
    constexpr int most = V::typed ? 1 : 2;
    if (whole || row.lennard_jones > most) {
      sweep<4>(list, row);
    } else if constexpr (!whole && V::typed) {
      sweep<1>(list, row);
    } else if constexpr (!whole) {
      if (row.lennard_jones == 2)
        sweep<2>(list, row);
      else if (row.lennard_jones == 1)
        sweep<1>(list, row);
      else
        sweep<0>(list, row);
    }
  }

  double coulomb = 0, lennard_jones = 0;

 private:
  /// Offsets of the one or two quads of partners in a vector.
  struct Quads {
    std::uint32_t low, high;
  };
  struct Partner {
    Vec x, y, z, charge;
    Vec half_sigma, root_epsilon;  // where atoms mix
    hn::Vec<DI> type;              // where a table says; twice the type
  };
  /// Sums over the partners of a row.
  struct Sums {
    Vec x[4], y[4], z[4];
    Vec coulomb, lennard_jones;
  };

  template <int lj_rows>
  HWY_INLINE void load_home(std::uint32_t home) {
    const D d;
    FG_UNROLL for (int row = 0; row < 4; ++row) {
      Real* const to = home_ + row * home_numbers * lanes;
      const Real* const from = data_ + home + row;
      const auto spread = [&](int field, Real value)
                              HWY_ATTR { hn::Store(hn::Set(d, value), d, to + field / 4 * lanes); };
      spread(quad::x, from[quad::x]);
      spread(quad::y, from[quad::y]);
      spread(quad::z, from[quad::z]);
      spread(quad::charge, from[quad::charge] * c_.charge_factor);
      if (row >= lj_rows) continue;
      if constexpr (V::typed) {
        pairs_of_[row] = c_.pairs + c_.types * 2 * static_cast<int>(from[quad::type]);
      } else {
        spread(quad::half_sigma, from[quad::half_sigma]);
        spread(quad::root_epsilon, from[quad::root_epsilon] * c_.epsilon_factor);
      }
    }
  }
  HWY_INLINE Vec home(int row, int field) const {
    return hn::Load(D(), home_ + (row * home_numbers + field / 4) * lanes);
  }

  HWY_INLINE Vec load(Quads quads, int field) const {
    const D d;
#if HWY_MAX_BYTES >= 32
    if constexpr (lanes == 8) {
      const hn::Half<D> half;
      return hn::Combine(d, hn::Load(half, data_ + quads.high + field),
                         hn::Load(half, data_ + quads.low + field));
    }
#endif
    return hn::Load(d, data_ + quads.low + field);
  }
  HWY_INLINE void add(Quads quads, int field, Vec value) const {
    const D d;
#if HWY_MAX_BYTES >= 32
    if constexpr (lanes == 8) {
      const hn::Half<D> half;
      Real* const low = data_ + quads.low + field;
      Real* const high = data_ + quads.high + field;
      hn::Store(hn::Add(hn::LowerHalf(half, value), hn::Load(half, low)), half, low);
      hn::Store(hn::Add(hn::UpperHalf(half, value), hn::Load(half, high)), half, high);
      return;
    }
#endif
    Real* const at = data_ + quads.low + field;
    hn::Store(hn::Add(value, hn::Load(d, at)), d, at);
  }

  /// Lanes whose bit of `row` is set; `first` is 0 for "not excluded", 16 for "the pair exists".
  HWY_INLINE Mask mask(const std::uint32_t* bits, int row, int first, int part) const {
    const DU d;
    using Word = hn::TFromD<DU>;
    auto words = hn::Set(d, static_cast<Word>(bits[0]));
#if HWY_MAX_BYTES >= 32
    if constexpr (lanes == 8) {
      const hn::Half<DU> half;
      words = hn::Combine(d, hn::Set(half, static_cast<Word>(bits[1])),
                          hn::Set(half, static_cast<Word>(bits[0])));
    }
#endif
    alignas(64) Word lane_bit[lanes];
    for (int lane = 0; lane < lanes; ++lane)
      lane_bit[lane] = Word{1} << (first + 4 * ((lane + part) % 4) + row);
    return hn::RebindMask(D(), hn::TestBit(words, hn::Load(d, lane_bit)));
  }

  template <int lj_rows>
  HWY_INLINE void sweep(const PairList& list, const PairRow& row) {
    load_home<lj_rows>(row.home);
    const Vec zero = hn::Zero(D());
    Sums sums{
        {zero, zero, zero, zero}, {zero, zero, zero, zero}, {zero, zero, zero, zero}, zero, zero};
    const MaskedPartner* const masked = list.masked.data();
    for (std::uint32_t k = row.masked_begin; k < row.masked_end; k += group) {
      const Quads quads{masked[k].partner, masked[k + group - 1].partner};
      const std::uint32_t bits[2] = {masked[k].bits, masked[k + group - 1].bits};
      meet<lj_rows, true>(quads, bits, sums);
    }
    const std::uint32_t* const end = list.free.data() + row.free_end;
    for (const std::uint32_t* p = list.free.data() + row.free_begin; p < end; p += group)
      meet<lj_rows, false>(Quads{p[0], p[group - 1]}, nullptr, sums);
    add_home(row.home, sums);
  }

  template <int lj_rows, bool masked>
  HWY_INLINE void meet(Quads quads, const std::uint32_t* bits, Sums& sums) const {
    // If a vector has fewer than four numbers, a quad is handled in parts.
    for (int part = 0; part < 4; part += lanes < 4 ? lanes : 4) {
      Partner j;
      j.x = load(quads, quad::x + part);
      j.y = load(quads, quad::y + part);
      j.z = load(quads, quad::z + part);
      j.charge = load(quads, quad::charge + part);
      if constexpr (lj_rows > 0 && V::typed) {
        const Vec type = load(quads, quad::type + part);
        j.type = hn::ConvertTo(DI(), hn::Add(type, type));
      } else if constexpr (lj_rows > 0) {
        j.half_sigma = load(quads, quad::half_sigma + part);
        j.root_epsilon = load(quads, quad::root_epsilon + part);
      }
      Vec fx, fy, fz;
      FG_UNROLL for (int row = 0; row < 4; row += side_by_side) {
        Vec dx[side_by_side], dy[side_by_side], dz[side_by_side], f[side_by_side];
        pairs<lj_rows, masked>(row, part, bits, j, dx, dy, dz, f, sums);
        FG_UNROLL for (int r = 0; r < side_by_side; ++r) {
          const Vec tx = hn::Mul(f[r], dx[r]), ty = hn::Mul(f[r], dy[r]), tz = hn::Mul(f[r], dz[r]);
          sums.x[row + r] = hn::Add(sums.x[row + r], tx);
          sums.y[row + r] = hn::Add(sums.y[row + r], ty);
          sums.z[row + r] = hn::Add(sums.z[row + r], tz);
          fx = row + r > 0 ? hn::Add(fx, tx) : tx;
          fy = row + r > 0 ? hn::Add(fy, ty) : ty;
          fz = row + r > 0 ? hn::Add(fz, tz) : tz;
        }
      }
      add(quads, quad::force_x + part, fx);
      add(quads, quad::force_y + part, fy);
      add(quads, quad::force_z + part, fz);
    }
  }

  /// The differences (partner minus home) and force factors of a few rows from `first` on.
  template <int lj_rows, bool masked>
  HWY_INLINE void pairs(int first, int part, const std::uint32_t* bits, const Partner& j, Vec* dx,
                        Vec* dy, Vec* dz, Vec* f, Sums& sums) const {
    const D d;
    constexpr int n = side_by_side;
    Vec r2[n], smooth[n];
    Place place[n];
    FG_UNROLL for (int r = 0; r < n; ++r) {
      dx[r] = hn::Sub(j.x, home(first + r, quad::x));
      dy[r] = hn::Sub(j.y, home(first + r, quad::y));
      dz[r] = hn::Sub(j.z, home(first + r, quad::z));
      r2[r] = hn::MulAdd(dz[r], dz[r], hn::MulAdd(dy[r], dy[r], hn::Mul(dx[r], dx[r])));
      if constexpr (V::ewald) place[r] = Fit::place(r2[r]);
    }
    // The long dependency chain first; the instructions after it run during its latency.
    if constexpr (V::ewald) {
      force_fit_.template evaluate<n>(place, smooth);
    } else {
      FG_UNROLL for (int r = 0; r < n; ++r) smooth[r] = hn::Set(d, c_.force_fit[0]);
    }
    FG_UNROLL for (int r = 0; r < n; ++r) {
      Mask inside = hn::Lt(r2[r], hn::Set(d, Real(ewald_range))), included = inside;
      const Vec y1 = estimate(r2[r]);
      const Vec y2 = hn::Mul(y1, y1);
      Vec y3 = hn::Mul(y1, y2), correction = y1;
      if constexpr (corrected) correction = hn::NegMulAdd(r2[r], y2, hn::Set(d, Real(5.0 / 3.0)));
      if constexpr (masked) {
        inside = hn::And(inside, mask(bits, first + r, 16, part));
        included = mask(bits, first + r, 0, part);
        y3 = hn::IfThenElseZero(included, y3);
        // Excluded atoms may be at the same place, where 0 times infinity is not 0.
        if constexpr (corrected) correction = hn::IfThenElseZero(included, correction);
      }
      const Vec qq = hn::Mul(j.charge, home(first + r, quad::charge));
      Vec strength = corrected ? hn::MulAdd(y3, correction, smooth[r]) : hn::Add(y3, smooth[r]);
      if constexpr (masked && !V::ewald) strength = hn::IfThenElseZero(included, strength);
      f[r] = hn::Mul(qq, strength);
      if constexpr (V::energies) add_coulomb<masked>(qq, r2[r], place[r], inside, included, sums);
      if (first + r < lj_rows)
        add_lennard_jones<masked>(first + r, r2[r], y2, correction, j, inside, included, f[r],
                                  sums);
      f[r] = hn::IfThenElseZero(inside, f[r]);
    }
  }

  /// 1/sqrt: to eleven bits where `corrected`, otherwise in full.
  static HWY_INLINE Vec estimate(Vec r2) {
#if HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
    if constexpr (corrected) return hn::ApproximateReciprocalSqrt(r2);
#endif
    return hn::Div(hn::Set(D(), Real(1)), hn::Sqrt(r2));
  }

  template <bool masked>
  HWY_INLINE void add_coulomb(Vec qq, Vec r2, const Place& place, Mask inside, Mask included,
                              Sums& sums) const {
    const D d;
    Vec energy = hn::Div(hn::Set(d, Real(1)), hn::Sqrt(r2));
    if constexpr (V::ewald) {
      if constexpr (masked) energy = hn::IfThenElseZero(included, energy);
      Vec smooth;
      energy_fit_.template evaluate<1>(&place, &smooth);
      energy = hn::Add(energy, smooth);
    } else {
      const Vec k = hn::Set(d, c_.reaction_field_k), c = hn::Set(d, c_.reaction_field_c);
      energy = hn::Add(energy, hn::MulSub(k, r2, c));
      if constexpr (masked) energy = hn::IfThenElseZero(included, energy);
    }
    sums.coulomb = hn::Add(sums.coulomb, hn::IfThenElseZero(inside, hn::Mul(qq, energy)));
  }

  template <bool masked>
  HWY_INLINE void add_lennard_jones(int row, Vec r2, Vec y2, Vec correction, const Partner& j,
                                    Mask inside, Mask included, Vec& f, Sums& sums) const {
    const D d;
    Vec sigma2, epsilon;
    if constexpr (V::typed) {
      sigma2 = hn::GatherIndex(d, pairs_of_[row], j.type);
      epsilon = hn::GatherIndex(d, pairs_of_[row] + 1, j.type);
    } else {
      const Vec sigma = hn::Add(j.half_sigma, home(row, quad::half_sigma));
      sigma2 = hn::Mul(sigma, sigma);
      epsilon = hn::Mul(j.root_epsilon, home(row, quad::root_epsilon));
    }
    Vec inverse2 = y2;
    if constexpr (corrected)
      inverse2 = hn::Mul(y2, hn::Add(correction, hn::Set(d, Real(1.0 / 3.0))));
    const Vec s2 = hn::Mul(sigma2, inverse2);
    Vec s6 = hn::Mul(hn::Mul(s2, s2), s2);
    if constexpr (masked) s6 = hn::IfThenElseZero(included, s6);
    const Vec slope = hn::Mul(s6, hn::Sub(s6, hn::Set(d, Real(0.5))));
    if constexpr (V::switched) {
      const Vec inverse = hn::Div(hn::Set(d, Real(1)), hn::Sqrt(r2));
      const Vec past =
          hn::Max(hn::Zero(d), hn::Sub(hn::Mul(r2, inverse), hn::Set(d, c_.switching.start)));
      const Vec well = hn::Mul(epsilon, hn::Mul(s6, hn::Sub(s6, hn::Set(d, Real(1)))));
      const Vec depth = hn::Mul(epsilon, inverse2);
      Switched<Vec> to = c_.switching.kind == Switching::force
                             ? switch_force(d, c_.switching, past, inverse, hn::Mul(depth, slope),
                                            well, epsilon, sigma2)
                             : switch_potential(d, c_.switching, past, inverse, depth, slope, well);
      // Excluded pairs may be at the same place, where 0 times infinity is not 0.
      if constexpr (masked) to.factor = hn::IfThenElseZero(included, to.factor);
      f = hn::Add(f, to.factor);
      if constexpr (V::energies) add_well<masked>(to.well, inside, included, sums);
    } else {
      Vec factor = hn::Mul(epsilon, inverse2);
      if constexpr (masked) factor = hn::IfThenElseZero(included, factor);
      f = hn::MulAdd(factor, slope, f);
      if constexpr (V::energies) {
        const Vec well = hn::Mul(epsilon, hn::Mul(s6, hn::Sub(s6, hn::Set(d, Real(1)))));
        add_well<masked>(well, inside, included, sums);
      }
    }
  }

  template <bool masked>
  HWY_INLINE void add_well(Vec well, Mask inside, Mask included, Sums& sums) const {
    if constexpr (masked) well = hn::IfThenElseZero(included, well);
    sums.lennard_jones = hn::Add(sums.lennard_jones, hn::IfThenElseZero(inside, well));
  }

  /// The home atoms get the negative of the forces on the partners.
  HWY_INLINE void add_home(std::uint32_t home, const Sums& sums) {
    subtract_sums(sums.x, data_ + home + quad::force_x);
    subtract_sums(sums.y, data_ + home + quad::force_y);
    subtract_sums(sums.z, data_ + home + quad::force_z);
    if constexpr (V::energies) {
      coulomb += sum_of_lanes(sums.coulomb);
      lennard_jones += sum_of_lanes(sums.lennard_jones);
    }
  }
  static HWY_INLINE double sum_of_lanes(Vec v) {
    alignas(64) Real lane[lanes];
    hn::Store(v, D(), lane);
    double sum = 0;
    for (int k = 0; k < lanes; ++k) sum += lane[k];
    return sum;
  }
  static HWY_INLINE void subtract_sums(const Vec* v, Real* to) {
#if HWY_MAX_BYTES >= 16
    if constexpr (std::is_same_v<Real, float>) {
      // Transpose and add in blocks of four: a lane of the result is the sum of one of the four.
      const D d;
      const hn::Repartition<double, D> pairs;
      const auto interleave = [](auto tag, auto a, auto b) HWY_ATTR {
        return std::pair(hn::InterleaveLower(tag, a, b), hn::InterleaveUpper(tag, a, b));
      };
      const auto [a, b] = interleave(d, v[0], v[1]);
      const auto [c, e] = interleave(d, v[2], v[3]);
      const auto [low, high] =
          interleave(pairs, hn::BitCast(pairs, hn::Add(a, b)), hn::BitCast(pairs, hn::Add(c, e)));
      const auto sum = fold(hn::Add(hn::BitCast(d, low), hn::BitCast(d, high)));
      const hn::CappedTag<float, 4> d4;
      hn::Store(hn::Sub(hn::Load(d4, to), sum), d4, to);
      return;
    }
#endif
    for (int row = 0; row < 4; ++row) to[row] -= static_cast<Real>(sum_of_lanes(v[row]));
  }
  /// Adds the upper four of eight lanes to the lower four.
  static HWY_INLINE auto fold(Vec v) {
#if HWY_MAX_BYTES >= 32
    if constexpr (lanes == 8) {
      const hn::Half<D> half;
      return hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v));
    } else {
      return v;
    }
#else
    return v;
#endif
  }

  const PairConstants<Real>& c_;
  Real* const data_;
  alignas(64) Real home_[4 * home_numbers * lanes];
  const Real* pairs_of_[4] = {};  // the rows of the table of pairs for the home atoms
  const Fit force_fit_;
  const EwaldPolynomial<Real, V::energies ? V::terms : 0> energy_fit_;
};

template <class V>
void run_forces(const PairConstants<typename V::Real>& constants, const PairList& list,
                typename V::Real* data) {
  RowSweep<V> sweep(constants, data);
  for (const PairRow& row : list.rows) sweep.run(list, row);
}

/// sums: Coulomb, Lennard-Jones.
template <class V>
void run_energies(const PairConstants<typename V::Real>& constants, const PairList& list,
                  typename V::Real* data, double* sums) {
  RowSweep<V> sweep(constants, data);
  for (const PairRow& row : list.rows) sweep.run(list, row);
  sums[0] = sweep.coulomb * constants.coulomb_energy;
  sums[1] = sweep.lennard_jones * constants.lennard_jones_energy;
}

template <class Real, int terms, LennardJonesKind kind>
PairFunctions<Real> functions_of() {
  return {run_forces<Variant<Real, terms, kind, false>>,
          run_energies<Variant<Real, terms, kind, true>>,
          RowSweep<Variant<Real, terms, kind, false>>::group};
}
template <class Real, int terms>
PairFunctions<Real> functions_of(LennardJonesKind kind) {
  if (kind.typed && kind.switched) return functions_of<Real, terms, {true, true}>();
  if (kind.typed) return functions_of<Real, terms, {false, true}>();
  if (kind.switched) return functions_of<Real, terms, {true, false}>();
  return functions_of<Real, terms, {false, false}>();
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
