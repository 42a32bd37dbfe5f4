// SPDX-License-Identifier: BSD-3-Clause
//
// The pair kernels, compiled once per SIMD target. A row keeps the four atoms of its home quad,
// broadcast. It sweeps over its partners, as many quads at a time as fill a vector. The processor's
// estimate gives y ~ 1/r. With h = r^2 y^2, one correction of second order gives
//   1/r^2 = y^2 (2 - h),   1/r^3 = 3/2 y^3 (5/3 - h),   both to O((1 - h)^2).
// The factors 3/2 and the like are included in the charges and in the Ewald fit. Double precision
// and portable bits divide. The cutoff is one mask on the final force, so intermediate values
// beyond it may be infinite.

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

#include "base/fused-inl.hpp"
#include "forces/pair/ewald_polynomial-inl.hpp"
#include "forces/pair/lennard_jones_switch-inl.hpp"
#include "forces/pair/pair_kernel.hpp"
#include "forces/pair/quad_vectors-inl.hpp"

HWY_BEFORE_NAMESPACE();
// With 32 registers the compiler does well to mix the rows before it chooses registers: 6 % faster
// on Zen 4. With 16 (AVX2) that is 25 % slower.
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_GCC_ACTUAL
#pragma GCC push_options
#pragma GCC optimize("schedule-insns")
#endif
namespace fg {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

/// terms: number of terms of the Ewald fit. It is 0 for the reaction field, and for the plain sum,
/// a reaction field with k = 0.
template <class RealType, int terms_, LennardJonesKind lennard_jones, bool energies_, Bits bits_>
struct Variant {
  using Real = RealType;
  static constexpr Bits bits = bits_;
  static constexpr int terms = terms_;
  static constexpr bool ewald = terms_ > 0;
  static constexpr bool switched = lennard_jones.switched;
  static constexpr bool typed = lennard_jones.typed;
  static constexpr bool energies = energies_;
};

template <class V>
class RowSweep {
  using Real = typename V::Real;
  using D = PairTag<Real>;
  using DI = hn::RebindToSigned<D>;
  using Vec = sized::Vec<D>;
  using Mask = sized::Mask<D>;
  using Vectors = QuadVectors<Real>;
  using Quads = typename Vectors::Quads;
  using Fit = EwaldPolynomial<Real, V::terms, V::bits>;
  using Place = typename Fit::Place;
  static constexpr int lanes = Vectors::lanes;
  static constexpr bool is_float = std::is_same_v<Real, float>;
  static constexpr bool corrected = is_float && V::bits == Bits::fast;
  /// Rows computed side by side, to hide latencies: as many as registers suffice for, measured.
  static constexpr int side_by_side = lanes > 8 ? 2 : 4;
  /// How many vectors ahead the partners are asked for from memory.
  static constexpr int vectors_ahead = 6;

 public:
  static constexpr int group = Vectors::group;

  /// A list may be grouped for longer vectors than there are. Then it is swept several times, each
  /// time over other lanes of these vectors. So sums over lanes have the same bits.
  RowSweep(const PairConstants<Real>& constants, Real* data, int list_group)
      : c_(constants),
        data_(data),
        list_group_(list_group),
        passes_(list_group > group ? list_group / group * Vectors::parts : 1),
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
  struct Partner {
    Vec x, y, z, charge;
    Vec half_sigma, root_epsilon;  // where atoms mix
    sized::Vec<DI> type;           // where a table says
  };
  /// Sums over the partners of a row.
  struct Sums {
    Vec x[4], y[4], z[4];
    Vec coulomb, lennard_jones;
  };

  template <int lj_rows>
  HWY_INLINE void load_home(std::uint32_t home) {
    const Real* const from = data_ + home;
    const auto keep = [&](int field, Real factor) HWY_ATTR {
      const hn::CappedTag<Real, 4> d;
      for (int row = 0; row < 4; row += static_cast<int>(hn::MaxLanes(d)))
        hn::Store(hn::Mul(hn::Load(d, from + field + row), hn::Set(d, factor)), d,
                  home_ + field + row);
    };
    keep(quad::x, 1), keep(quad::y, 1), keep(quad::z, 1);
    keep(quad::charge, c_.charge_factor);
    if constexpr (lj_rows > 0 && V::typed) {
      for (int row = 0; row < lj_rows; ++row)
        pairs_of_[row] =
            c_.pairs + pair_row(c_.types) * 2 * static_cast<int>(from[quad::type + row]);
    } else if constexpr (lj_rows > 0) {
      keep(quad::half_sigma, 1);
      keep(quad::root_epsilon, c_.epsilon_factor);
    }
  }
  /// The same number in all lanes. Where instructions take such an operand from memory, it costs no
  /// more than a load of a vector.
  HWY_INLINE Vec home(int row, int field) const { return hn::Set(D(), home_[field + row]); }

  template <int lj_rows>
  HWY_INLINE void sweep(const PairList& list, const PairRow& row) {
    load_home<lj_rows>(row.home);
    totals_.clear();
    for (int pass = 0; pass < passes_; ++pass) sweep_lanes<lj_rows>(list, row, pass);
    add_home(row.home);
  }

  /// The pass-th part of the lanes.
  template <int lj_rows>
  HWY_INLINE void sweep_lanes(const PairList& list, const PairRow& row, int pass) {
    // If a vector has fewer than four numbers, a quad is handled in parts.
    constexpr int parts = Vectors::parts;
    const int first_quad = pass / parts * group;
    const int first = pass % parts * lanes, end_part = passes_ > 1 ? first + lanes : 4;
    const Vec zero = hn::Zero(D());
    Sums sums{
        {zero, zero, zero, zero}, {zero, zero, zero, zero}, {zero, zero, zero, zero}, zero, zero};
    const MaskedPartner* const masked = list.masked.data();
    for (std::uint32_t k = row.masked_begin + first_quad; k < row.masked_end; k += list_group_) {
      Quads quads;
      std::uint32_t bits[group];
      FG_UNROLL for (int q = 0; q < group; ++q) {
        quads.at[q] = data_ + masked[k + q].partner;
        bits[q] = masked[k + q].bits;
      }
      meet<lj_rows, true>(quads, bits, first, end_part, sums);
    }
    const std::uint32_t* const end = list.free.data() + row.free_end;
    const std::uint32_t* p = list.free.data() + row.free_begin + first_quad;
    for (; p < end; p += list_group_) {
      Quads quads;
      FG_UNROLL for (int q = 0; q < group; ++q) quads.at[q] = data_ + p[q];
      const std::uint32_t* const ahead = p + vectors_ahead * list_group_;
      Vectors::ask_for(data_, ahead < end ? ahead : p);
      meet<lj_rows, false>(quads, nullptr, first, end_part, sums);
    }
    totals_.x.add(sums.x, first);
    totals_.y.add(sums.y, first);
    totals_.z.add(sums.z, first);
    if constexpr (V::energies) {
      totals_.coulomb = Vectors::add_lanes(totals_.coulomb, sums.coulomb);
      totals_.lennard_jones = Vectors::add_lanes(totals_.lennard_jones, sums.lennard_jones);
    }
  }

  template <int lj_rows, bool masked>
  HWY_INLINE void meet(Quads quads, const std::uint32_t* bits, int first_part, int end_part,
                       Sums& sums) const {
    constexpr bool in_parts = lanes < 4;
    for (int part = in_parts ? first_part : 0; part < (in_parts ? end_part : 4);
         part += in_parts ? lanes : 4) {
      Partner j;
      j.x = Vectors::load(quads, quad::x + part);
      j.y = Vectors::load(quads, quad::y + part);
      j.z = Vectors::load(quads, quad::z + part);
      j.charge = Vectors::load(quads, quad::charge + part);
      if constexpr (lj_rows > 0 && V::typed) {
        j.type = hn::ConvertTo(DI(), Vectors::load(quads, quad::type + part));
      } else if constexpr (lj_rows > 0) {
        j.half_sigma = Vectors::load(quads, quad::half_sigma + part);
        j.root_epsilon = Vectors::load(quads, quad::root_epsilon + part);
      }
      Vec fx, fy, fz;
      FG_UNROLL for (int row = 0; row < 4; row += side_by_side) {
        Vec dx[side_by_side], dy[side_by_side], dz[side_by_side], f[side_by_side];
        pairs<lj_rows, masked>(row, part, bits, j, dx, dy, dz, f, sums);
        FG_UNROLL for (int r = 0; r < side_by_side; ++r) {
          sums.x[row + r] = fused::mul_add(f[r], dx[r], sums.x[row + r]);
          sums.y[row + r] = fused::mul_add(f[r], dy[r], sums.y[row + r]);
          sums.z[row + r] = fused::mul_add(f[r], dz[r], sums.z[row + r]);
          fx = row + r > 0 ? fused::mul_add(f[r], dx[r], fx) : Vec(hn::Mul(f[r], dx[r]));
          fy = row + r > 0 ? fused::mul_add(f[r], dy[r], fy) : Vec(hn::Mul(f[r], dy[r]));
          fz = row + r > 0 ? fused::mul_add(f[r], dz[r], fz) : Vec(hn::Mul(f[r], dz[r]));
        }
      }
      Vectors::add(quads, quad::force_x + part, fx);
      Vectors::add(quads, quad::force_y + part, fy);
      Vectors::add(quads, quad::force_z + part, fz);
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
      r2[r] = fused::mul_add(dz[r], dz[r], fused::mul_add(dy[r], dy[r], hn::Mul(dx[r], dx[r])));
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
      const auto [y1, y2] = inverses(r2[r]);
      Vec y3 = hn::Mul(y1, y2), correction = y1;
      if constexpr (corrected)
        correction = fused::neg_mul_add(r2[r], y2, hn::Set(d, Real(5.0 / 3.0)));
      if constexpr (masked) {
        inside = hn::And(inside, Vectors::mask(bits, first + r, 16, part));
        included = Vectors::mask(bits, first + r, 0, part);
        y3 = hn::IfThenElseZero(included, y3);
        // Excluded atoms may be at the same place, where 0 times infinity is not 0.
        if constexpr (corrected) correction = hn::IfThenElseZero(included, correction);
      }
      const Vec qq = hn::Mul(j.charge, home(first + r, quad::charge));
      Vec strength =
          corrected ? fused::mul_add(y3, correction, smooth[r]) : Vec(hn::Add(y3, smooth[r]));
      if constexpr (masked && !V::ewald) strength = hn::IfThenElseZero(included, strength);
      f[r] = hn::Mul(qq, strength);
      if constexpr (V::energies) add_coulomb<masked>(qq, r2[r], place[r], inside, included, sums);
      if (first + r < lj_rows)
        add_lennard_jones<masked>(first + r, r2[r], y2, correction, j, inside, included, f[r],
                                  sums);
      f[r] = hn::IfThenElseZero(inside, f[r]);
    }
  }

  /// 1/r and 1/r^2: to eleven bits where `corrected`, otherwise in full.
  static HWY_INLINE std::pair<Vec, Vec> inverses(Vec r2) {
    const Vec one = hn::Set(D(), Real(1));
    if constexpr (is_float && !corrected) {
      const Vec inverse2 = hn::Div(one, r2);
      return {hn::Sqrt(inverse2), inverse2};
    }
    const Vec y1 = estimate(r2);
    return {y1, hn::Mul(y1, y1)};
  }
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
      energy = hn::Add(energy, fused::mul_sub(k, r2, c));
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
      sigma2 = of_type(pairs_of_[row], j.type);
      epsilon = of_type(pairs_of_[row] + pair_row(c_.types), j.type);
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
      f = fused::mul_add(factor, slope, f);
      if constexpr (V::energies) {
        const Vec well = hn::Mul(epsilon, hn::Mul(s6, hn::Sub(s6, hn::Set(d, Real(1)))));
        add_well<masked>(well, inside, included, sums);
      }
    }
  }

  /// The numbers of a row of the table of pairs that belong to the partners' types. Where one or
  /// two instructions can select from the whole row, that is several times faster than a gather.
  HWY_INLINE Vec of_type(const Real* row, sized::Vec<DI> type) const {
    const D d;
#if HWY_TARGET == HWY_AVX3
    if constexpr (lanes == 16) {
      const auto part = [&](int k) HWY_ATTR { return hn::Load(d, row + k * lanes).raw; };
      const auto of_two = [&](int k) HWY_ATTR {
        return _mm512_permutex2var_ps(part(k), type.raw, part(k + 1));
      };
      if (c_.types <= lanes) return Vec{_mm512_permutexvar_ps(type.raw, part(0))};
      if (c_.types <= 2 * lanes) return Vec{of_two(0)};
      if (c_.types <= 4 * lanes) {
        const auto upper = hn::Gt(type, hn::Set(DI(), 2 * lanes - 1));
        return hn::IfThenElse(hn::RebindMask(d, upper), Vec{of_two(2)}, Vec{of_two(0)});
      }
    }
#endif
    return hn::GatherIndex(d, row, type);
  }

  template <bool masked>
  HWY_INLINE void add_well(Vec well, Mask inside, Mask included, Sums& sums) const {
    if constexpr (masked) well = hn::IfThenElseZero(included, well);
    sums.lennard_jones = hn::Add(sums.lennard_jones, hn::IfThenElseZero(inside, well));
  }

  /// The home atoms get the negative of the forces on the partners.
  HWY_INLINE void add_home(std::uint32_t home) {
    totals_.x.subtract_from(data_ + home + quad::force_x);
    totals_.y.subtract_from(data_ + home + quad::force_y);
    totals_.z.subtract_from(data_ + home + quad::force_z);
    coulomb += totals_.coulomb;
    lennard_jones += totals_.lennard_jones;
  }

  /// Sums over the lanes of a row.
  struct Totals {
    typename Vectors::RowTotals x, y, z;
    double coulomb, lennard_jones;

    HWY_INLINE void clear() {
      x.clear(), y.clear(), z.clear();
      coulomb = lennard_jones = 0;
    }
  };

  const PairConstants<Real>& c_;
  Real* const data_;
  const int list_group_, passes_;
  Totals totals_;
  /// What comes before the forces in a quad, with the kernel's factors.
  alignas(64) Real home_[quad::force_x];
  const Real* pairs_of_[4] = {};  // the home atoms' rows of sigma^2 in the table of pairs
  const Fit force_fit_;
  const EwaldPolynomial<Real, V::energies ? V::terms : 0, V::bits> energy_fit_;
};

template <class V>
void run_forces(const PairConstants<typename V::Real>& constants, const PairList& list,
                typename V::Real* data) {
  RowSweep<V> sweep(constants, data, list.group);
  for (const PairRow& row : list.rows) sweep.run(list, row);
}

/// sums: Coulomb, Lennard-Jones.
template <class V>
void run_energies(const PairConstants<typename V::Real>& constants, const PairList& list,
                  typename V::Real* data, double* sums) {
  RowSweep<V> sweep(constants, data, list.group);
  for (const PairRow& row : list.rows) sweep.run(list, row);
  sums[0] = sweep.coulomb * constants.coulomb_energy;
  sums[1] = sweep.lennard_jones * constants.lennard_jones_energy;
}

/// In double precision portable bits take nothing but lists for the longest vectors.
template <class Real>
constexpr Bits bits_of_kernel(Bits bits) {
  return std::is_same_v<Real, double> ? Bits::fast : bits;
}

template <class Real, Bits bits, int terms, LennardJonesKind kind>
PairFunctions<Real> functions_of() {
  constexpr Bits kernel = bits_of_kernel<Real>(bits);
  using Vectors = QuadVectors<Real>;
  // On the scalar target both have the same order of sums.
  constexpr bool longest = bits == Bits::portable || Vectors::lanes == 1;
  return {run_forces<Variant<Real, terms, kind, false, kernel>>,
          run_energies<Variant<Real, terms, kind, true, kernel>>,
          longest ? Vectors::longest_group : Vectors::group};
}
template <class Real, Bits bits, int terms>
PairFunctions<Real> functions_of(LennardJonesKind kind) {
  if (kind.typed && kind.switched) return functions_of<Real, bits, terms, {true, true}>();
  if (kind.typed) return functions_of<Real, bits, terms, {false, true}>();
  if (kind.switched) return functions_of<Real, bits, terms, {true, false}>();
  return functions_of<Real, bits, terms, {false, false}>();
}

template <class Real, Bits bits>
constexpr EwaldChoices choices_of() {
  if constexpr (std::is_same_v<Real, double>) return {1, ewald_terms_double};
  if constexpr (bits == Bits::portable) return {1, ewald_terms_portable};
  switch (ewald_pieces<Real, bits>) {
    case 4:
      return {4, ewald_terms_4_pieces};
    case 16:
      return {16, ewald_terms_16_pieces};
    default:
      return {1, ewald_terms_float};
  }
}

/// The functions for a fit of `terms` terms, from choice k on; those of a reaction field if there
/// is none.
template <class Real, Bits bits, std::size_t k = 0>
PairFunctions<Real> functions_with(int terms, LennardJonesKind kind) {
  constexpr EwaldChoices choices = choices_of<Real, bits>();
  if constexpr (k < choices.terms.size()) {
    constexpr int these = choices.terms[k];
    return terms == these ? functions_of<Real, bits, these>(kind)
                          : functions_with<Real, bits, k + 1>(terms, kind);
  } else {
    return functions_of<Real, bits, 0>(kind);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace fg
#if HWY_TARGET == HWY_AVX3 && HWY_COMPILER_GCC_ACTUAL
#pragma GCC pop_options
#endif
HWY_AFTER_NAMESPACE();

#endif  // per-target include guard
