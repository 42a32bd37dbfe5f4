// SPDX-License-Identifier: BSD-3-Clause
//
// The spline kernels for one SIMD target; compiled once per target by spline_table.cpp.
// Splines are computed for 8 atoms at a time. Spreading and interpolation go atom by atom, in rows
// along z of 4 (order 4) or 8 (orders 5 to 8, padded with zero weights) points. If a vector holds
// two rows of 4, two neighbouring rows share it. Portable bits are those of vectors of 8 numbers;
// shorter ones then add up in the same order.
#if defined(FG_SPLINE_ROWS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_SPLINE_ROWS_INL
#undef FG_SPLINE_ROWS_INL
#else
#define FG_SPLINE_ROWS_INL
#endif

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/fused-inl.hpp"
#include "base/sized_vectors-inl.hpp"
#include "forces/mesh/potential_rows.hpp"
#include "forces/mesh/spline_table.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::HWY_NAMESPACE {

#if HWY_TARGET != HWY_SCALAR  // spline_scalar-inl.hpp

namespace hn = hwy::HWY_NAMESPACE;

template <class Real, int N>
struct SplineKernel {
  static constexpr int W = padded_order(N);
  static constexpr std::size_t cluster_size = spline_cluster_size(N);

  // Over the 8 atoms of a cluster.
  using Atoms = hn::CappedTag<Real, 8>;
  static constexpr int atom_lanes = static_cast<int>(hn::MaxLanes(Atoms()));
  using AtomVec = sized::Vec<Atoms>;

  // Over the points of a row.
  using Row = hn::CappedTag<Real, W>;
  static constexpr int row_lanes = static_cast<int>(hn::MaxLanes(Row()));
  static constexpr int chunks = W / row_lanes;
  using RowVec = sized::Vec<Row>;

  // Two rows of four in one vector.
  using Pair = hn::CappedTag<Real, 8>;
  static constexpr bool paired = W == 4 && row_lanes == 4 && hn::MaxLanes(Pair()) == 8;
  using PairVec = sized::Vec<Pair>;

  // Offsets into a cluster's weights.
  static constexpr int x_slopes = 8 * N, y = 16 * N, y_slopes = 24 * N, z = 32 * N;
  static constexpr int z_slopes = z + 8 * W;

  // ----- splines -----

  /// Essmann's recursion, for all atoms of a vector; `slope` from the order below.
  static HWY_INLINE void weights(AtomVec w, AtomVec* HWY_RESTRICT m, AtomVec* HWY_RESTRICT slope) {
    const Atoms d;
    const AtomVec one = hn::Set(d, Real(1));
    m[0] = hn::Sub(one, w);
    m[1] = w;
    for (int l = 3; l <= N; ++l) {
      if (l == N) {
        slope[0] = hn::Neg(m[0]);
        for (int j = 1; j < N - 1; ++j) slope[j] = hn::Sub(m[j - 1], m[j]);
        slope[N - 1] = m[N - 2];
      }
      const AtomVec scale = hn::Set(d, Real(1) / Real(l - 1));
      m[l - 1] = hn::Mul(hn::Mul(scale, w), m[l - 2]);
      for (int j = 1; j < l - 1; ++j) {
        const AtomVec left = hn::Add(w, hn::Set(d, Real(j)));
        const AtomVec right = hn::Sub(hn::Set(d, Real(l - j)), w);
        m[l - j - 1] =
            hn::Mul(scale, fused::mul_add(left, m[l - j - 2], hn::Mul(right, m[l - j - 1])));
      }
      m[0] = hn::Mul(hn::Mul(scale, hn::Sub(one, w)), m[0]);
    }
  }

  static HWY_INLINE void store_corner(AtomVec floor, std::int32_t* out) {
    const hn::Rebind<std::int32_t, Atoms> di;
    if constexpr (sizeof(Real) == 4)
      hn::StoreU(hn::ConvertTo(di, floor), di, out);
    else
      hn::StoreU(hn::DemoteTo(di, floor), di, out);
  }

  static HWY_INLINE void store_rows(const AtomVec* m, AtomVec scale, Real* out, int lane0) {
    const Atoms d;
    const AtomVec zero = hn::Zero(d);
    for (int q = 0; q < W / 4; ++q) {
      AtomVec v[4];
      for (int k = 0; k < 4; ++k)
        v[k] = 4 * q + k < N ? AtomVec(hn::Mul(scale, m[4 * q + k])) : zero;
      hn::StoreInterleaved4(v[0], v[1], v[2], v[3], d, out + 32 * q + 4 * lane0);
    }
  }

  static TouchedPoints make(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept {
    const Atoms d;
    const AtomVec zero = hn::Zero(d), one = hn::Set(d, Real(1));
    TouchedPoints touched{.low = atoms.room, .high = {0, 0, 0}};
    const TiltOf<Real> slant = table.slant = atoms.slant;
    AtomVec lowest[3], highest[3];
    for (int a = 0; a < 3; ++a)
      lowest[a] = hn::Set(d, Real(atoms.room[a])), highest[a] = hn::Set(d, Real(-N));

    for (int c = 0; c < table.clusters; ++c) {
      const Real* HWY_RESTRICT positions = atoms.positions + 24 * c;
      Real* HWY_RESTRICT out = table.weights.data() + c * cluster_size;
      std::int32_t* HWY_RESTRICT corner = table.corner.data() + 24 * c;
      for (int lane0 = 0; lane0 < 8; lane0 += atom_lanes) {
        const AtomVec charge = hn::LoadU(d, atoms.charges + 8 * c + lane0);
        const auto charged = hn::Ne(charge, zero);
        AtomVec u[3];
        for (int a = 0; a < 3; ++a) u[a] = hn::LoadU(d, positions + 8 * a + lane0);
        u[0] = fused::mul_add(hn::Set(d, slant.xy), u[1],
                              fused::mul_add(hn::Set(d, slant.xz), u[2], u[0]));
        u[1] = fused::mul_add(hn::Set(d, slant.yz), u[2], u[1]);
        auto inside = charged;
        for (int a = 0; a < 3; ++a) {
          u[a] = fused::mul_add(u[a], hn::Set(d, atoms.density[a]), hn::Set(d, atoms.centre[a]));
          // Written so that NaN counts as outside.
          inside = hn::And(inside, hn::And(hn::Ge(u[a], zero),
                                           hn::Lt(u[a], hn::Set(d, Real(atoms.room[a] - N + 1)))));
        }
        if (HWY_UNLIKELY(!hn::AllFalse(d, hn::AndNot(inside, charged))) && touched.outside < 0)
          touched.outside = static_cast<std::int32_t>(
              8 * c + lane0 + hn::FindFirstTrue(d, hn::AndNot(inside, charged)));
        const AtomVec q = hn::IfThenElseZero(inside, charge);

        AtomVec m[N], slope[N];
        for (int a = 0; a < 3; ++a) {
          const AtomVec place = hn::IfThenElseZero(inside, u[a]);
          const AtomVec floor = hn::Floor(place);
          lowest[a] = hn::Min(lowest[a], hn::IfThenElse(inside, floor, lowest[a]));
          highest[a] = hn::Max(highest[a], hn::IfThenElse(inside, floor, highest[a]));
          store_corner(floor, corner + 8 * a + lane0);
          weights(hn::Sub(place, floor), m, slope);
          const AtomVec per_bohr = hn::Set(d, -atoms.density[a]);
          if (a == 2) {
            store_rows(m, one, out + z, lane0);
            store_rows(slope, per_bohr, out + z_slopes, lane0);
            continue;
          }
          const AtomVec fold = a == 0 ? q : one;
          const AtomVec fold_slope = hn::Mul(fold, per_bohr);
          for (int j = 0; j < N; ++j) {
            hn::StoreU(hn::Mul(fold, m[j]), d, out + 2 * a * 8 * N + 8 * j + lane0);
            hn::StoreU(hn::Mul(fold_slope, slope[j]), d, out + (2 * a + 1) * 8 * N + 8 * j + lane0);
          }
        }
      }
    }

    for (int a = 0; a < 3; ++a) {
      touched.high[a] = static_cast<int>(hn::GetLane(hn::MaxOfLanes(d, highest[a]))) + N;
      touched.low[a] =
          std::min(static_cast<int>(hn::GetLane(hn::MinOfLanes(d, lowest[a]))), touched.high[a]);
    }
    // Lanes without a charge are at the frame's corner; move them into the touched block.
    for (int c = 0; c < table.clusters; ++c)
      for (int a = 0; a < 3; ++a) {
        std::int32_t* corner = table.corner.data() + 24 * c + 8 * a;
        for (int lane = 0; lane < 8; ++lane) corner[lane] = std::max(corner[lane], touched.low[a]);
      }
    return touched;
  }

  // ----- rows -----

  /// First point of an atom in a grid.
  template <class T>
  static HWY_INLINE T* first_point(const GridView<T>& g, const std::int32_t* corner, int lane) {
    const std::ptrdiff_t px = corner[lane] - g.low[0], py = corner[8 + lane] - g.low[1];
    return g.values + (px * g.size[1] + py) * g.size[2] + (corner[16 + lane] - g.low[2]);
  }

  static HWY_INLINE RowVec load_z(const Real* weights, int lane, int chunk) {
    const Row d;
    if constexpr (row_lanes == 8) {
      const hn::Half<Row> half;
      return hn::Combine(d, hn::LoadU(half, weights + 32 + 4 * lane),
                         hn::LoadU(half, weights + 4 * lane));
    } else {
      const int first = chunk * row_lanes;
      return hn::LoadU(d, weights + 32 * (first / 4) + 4 * lane + first % 4);
    }
  }

  static HWY_INLINE PairVec load_pair(const Real* lower, const Real* upper) {
    const hn::Half<Pair> half;
    return hn::Combine(Pair(), hn::LoadU(half, upper), hn::LoadU(half, lower));
  }
  static HWY_INLINE PairVec set_pair(Real lower, Real upper) {
    const hn::Half<Pair> half;
    return hn::Combine(Pair(), hn::Set(half, upper), hn::Set(half, lower));
  }

  static HWY_INLINE void spread_atom(const Real* HWY_RESTRICT w, int lane, Real* HWY_RESTRICT point,
                                     std::ptrdiff_t row_stride, std::ptrdiff_t plane_stride) {
    if constexpr (paired) {
      const Pair d;
      const hn::Half<Pair> half;
      const PairVec wz = load_pair(w + z + 4 * lane, w + z + 4 * lane);
      PairVec plane[N / 2];
      for (int j = 0; j < N; j += 2)
        plane[j / 2] = hn::Mul(set_pair(w[y + 8 * j + lane], w[y + 8 * (j + 1) + lane]), wz);
      for (int i = 0; i < N; ++i) {
        const PairVec wx = hn::Set(d, w[8 * i + lane]);
        Real* row = point + i * plane_stride;
        for (int j = 0; j < N; j += 2) {
          Real* lower = row + j * row_stride;
          Real* upper = lower + row_stride;
          const PairVec sum = fused::mul_add(wx, plane[j / 2], load_pair(lower, upper));
          hn::StoreU(hn::LowerHalf(half, sum), half, lower);
          hn::StoreU(hn::UpperHalf(half, sum), half, upper);
        }
      }
    } else {
      const Row d;
      RowVec plane[N * chunks];
      for (int k = 0; k < chunks; ++k) {
        const RowVec wz = load_z(w + z, lane, k);
        for (int j = 0; j < N; ++j)
          plane[j * chunks + k] = hn::Mul(hn::Set(d, w[y + 8 * j + lane]), wz);
      }
      for (int i = 0; i < N; ++i) {
        const RowVec wx = hn::Set(d, w[8 * i + lane]);
        Real* row = point + i * plane_stride;
        for (int j = 0; j < N; ++j, row += row_stride)
          for (int k = 0; k < chunks; ++k) {
            Real* at = row + k * row_lanes;
            hn::StoreU(fused::mul_add(wx, plane[j * chunks + k], hn::LoadU(d, at)), d, at);
          }
      }
    }
  }

  static void spread(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept {
    if (grid.size[0] <= 0) return;
    const std::ptrdiff_t row_stride = grid.size[2];
    const std::ptrdiff_t plane_stride = row_stride * grid.size[1];
    for (int c = 0; c < table.clusters; ++c)
      for (int lane = 0; lane < 8; ++lane)
        spread_atom(table.weights.data() + c * cluster_size, lane,
                    first_point(grid, table.corner.data() + 24 * c, lane), row_stride,
                    plane_stride);
  }

  // The last sum of a force runs over the lanes of a vector. Partial sums are kept for the 24
  // forces of a cluster, [axis][atom][part], so that 8 atoms are finished together.
  static constexpr int parts = row_lanes < 4 ? row_lanes : 4;
  using Part = hn::CappedTag<Real, parts>;
  static constexpr std::size_t partial_size = 24 * parts;

  template <class D>
  static HWY_INLINE void store_parts(D d, sized::Vec<D> v, Real* HWY_RESTRICT out) {
    if constexpr (hn::MaxLanes(D()) > static_cast<std::size_t>(parts)) {
      const hn::Half<D> half;
      store_parts(half, hn::Add(hn::LowerHalf(half, v), hn::UpperHalf(half, v)), out);
    } else {
      hn::Store(v, d, out);
    }
  }

  static HWY_INLINE void finish_forces(const Real* HWY_RESTRICT partial, const TiltOf<Real>& slant,
                                       Real* HWY_RESTRICT forces) {
    const Atoms d;
    for (int first = 0; first < 24; first += atom_lanes) {
      const Real* from = partial + parts * first;
      hn::VFromD<Atoms> v0, v1, v2, v3;
      if constexpr (parts == 4) {
        hn::LoadInterleaved4(d, from, v0, v1, v2, v3);
        hn::StoreU(hn::Add(hn::Add(v0, v2), hn::Add(v1, v3)), d, forces + first);
      } else {
        hn::LoadInterleaved2(d, from, v0, v1);
        hn::StoreU(hn::Add(v0, v1), d, forces + first);
      }
    }
    if (slant.xy == 0 && slant.xz == 0 && slant.yz == 0) return;
    for (int lane0 = 0; lane0 < 8; lane0 += atom_lanes) {
      const AtomVec x = hn::LoadU(d, forces + lane0);
      const AtomVec y = hn::LoadU(d, forces + 8 + lane0);
      const AtomVec z_force = hn::LoadU(d, forces + 16 + lane0);
      hn::StoreU(fused::mul_add(hn::Set(d, slant.xy), x, y), d, forces + 8 + lane0);
      hn::StoreU(
          fused::mul_add(hn::Set(d, slant.yz), y, fused::mul_add(hn::Set(d, slant.xz), x, z_force)),
          d, forces + 16 + lane0);
    }
  }

  /// Shorter vectors keep apart the sums that a vector of 8 numbers keeps apart. There is one for
  /// each row of a pair, and one for each chunk of a row.
  static constexpr int kept_apart = W == 4 ? 2 : 1;

  /// The sum of vectors, as if they were one: the upper half is added to the lower half.
  template <int count>
  static HWY_INLINE RowVec fold(RowVec* v) {
    for (int half = count / 2; half > 0; half /= 2)
      for (int k = 0; k < half; ++k) v[k] = hn::Add(v[k], v[k + half]);
    return v[0];
  }

  /// gather_atom with portable bits, for vectors of less than 8 numbers.
  static HWY_INLINE void gather_in_order(const Real* HWY_RESTRICT w, int lane,
                                         const Real* const* HWY_RESTRICT rows,
                                         std::ptrdiff_t columns, std::ptrdiff_t place,
                                         Real* HWY_RESTRICT partial) {
    const Row d;
    constexpr int sums = kept_apart * chunks;
    RowVec fx[sums], fy[sums], fz[sums];
    for (int k = 0; k < sums; ++k) fx[k] = fy[k] = fz[k] = hn::Zero(d);
    for (int i = 0; i < N; ++i) {
      RowVec value[chunks], slope[chunks];
      for (int k = 0; k < chunks; ++k) value[k] = slope[k] = hn::Zero(d);
      for (int j = 0; j < N; ++j) {
        const Real* const row = rows[i * columns + j] + place;
        const RowVec wy = hn::Set(d, w[y + 8 * j + lane]);
        const RowVec sy = hn::Set(d, w[y_slopes + 8 * j + lane]);
        for (int k = 0; k < chunks; ++k) {
          const RowVec v = hn::LoadU(d, row + k * row_lanes);
          value[k] = fused::mul_add(wy, v, value[k]);
          slope[k] = fused::mul_add(sy, v, slope[k]);
        }
      }
      const RowVec wx = hn::Set(d, w[8 * i + lane]);
      const RowVec sx = hn::Set(d, w[x_slopes + 8 * i + lane]);
      for (int k = 0; k < chunks; ++k) {
        const int at = i % kept_apart * chunks + k;
        fx[at] = fused::mul_add(sx, value[k], fx[at]);
        fy[at] = fused::mul_add(wx, slope[k], fy[at]);
        fz[at] = fused::mul_add(wx, value[k], fz[at]);
      }
    }
    for (int at = 0; at < sums; ++at) {
      const RowVec wz = load_z(w + z, lane, at % chunks);
      fx[at] = hn::Mul(fx[at], wz);
      fy[at] = hn::Mul(fy[at], wz);
      fz[at] = hn::Mul(fz[at], load_z(w + z_slopes, lane, at % chunks));
    }
    store_parts(d, fold<sums>(fx), partial);
    store_parts(d, fold<sums>(fy), partial + 8 * parts);
    store_parts(d, fold<sums>(fz), partial + 16 * parts);
  }

  /// sum_j (y, y slope) * row j, then the x weights, then the z weights: 2 multiply-adds per row.
  static HWY_INLINE void gather_atom(const Real* HWY_RESTRICT w, int lane,
                                     const Real* const* HWY_RESTRICT rows, std::ptrdiff_t columns,
                                     std::ptrdiff_t place, Real* HWY_RESTRICT partial) {
    if constexpr (paired) {
      const Pair d;
      PairVec fx = hn::Zero(d), fy = hn::Zero(d), fz = hn::Zero(d);
      for (int i = 0; i < N; i += 2) {
        const Real* const* const lower = rows + i * columns;
        const Real* const* const upper = lower + columns;
        PairVec value = hn::Zero(d), slope = hn::Zero(d);
        for (int j = 0; j < N; ++j) {
          const PairVec row = load_pair(lower[j] + place, upper[j] + place);
          value = fused::mul_add(hn::Set(d, w[y + 8 * j + lane]), row, value);
          slope = fused::mul_add(hn::Set(d, w[y_slopes + 8 * j + lane]), row, slope);
        }
        const PairVec wx = set_pair(w[8 * i + lane], w[8 * (i + 1) + lane]);
        const PairVec sx = set_pair(w[x_slopes + 8 * i + lane], w[x_slopes + 8 * (i + 1) + lane]);
        fx = fused::mul_add(sx, value, fx);
        fy = fused::mul_add(wx, slope, fy);
        fz = fused::mul_add(wx, value, fz);
      }
      const PairVec wz = load_pair(w + z + 4 * lane, w + z + 4 * lane);
      const PairVec sz = load_pair(w + z_slopes + 4 * lane, w + z_slopes + 4 * lane);
      store_parts(d, hn::Mul(fx, wz), partial);
      store_parts(d, hn::Mul(fy, wz), partial + 8 * parts);
      store_parts(d, hn::Mul(fz, sz), partial + 16 * parts);
    } else {
      const Row d;
      RowVec fx[chunks], fy[chunks], fz[chunks];
      for (int k = 0; k < chunks; ++k) fx[k] = fy[k] = fz[k] = hn::Zero(d);
      for (int i = 0; i < N; ++i) {
        RowVec value[chunks], slope[chunks];
        for (int k = 0; k < chunks; ++k) value[k] = slope[k] = hn::Zero(d);
        for (int j = 0; j < N; ++j) {
          const Real* const row = rows[i * columns + j] + place;
          const RowVec wy = hn::Set(d, w[y + 8 * j + lane]);
          const RowVec sy = hn::Set(d, w[y_slopes + 8 * j + lane]);
          for (int k = 0; k < chunks; ++k) {
            const RowVec v = hn::LoadU(d, row + k * row_lanes);
            value[k] = fused::mul_add(wy, v, value[k]);
            slope[k] = fused::mul_add(sy, v, slope[k]);
          }
        }
        const RowVec wx = hn::Set(d, w[8 * i + lane]);
        const RowVec sx = hn::Set(d, w[x_slopes + 8 * i + lane]);
        for (int k = 0; k < chunks; ++k) {
          fx[k] = fused::mul_add(sx, value[k], fx[k]);
          fy[k] = fused::mul_add(wx, slope[k], fy[k]);
          fz[k] = fused::mul_add(wx, value[k], fz[k]);
        }
      }
      RowVec sx = hn::Zero(d), sy = sx, sz = sx;
      for (int k = 0; k < chunks; ++k) {
        const RowVec wz = load_z(w + z, lane, k);
        sx = fused::mul_add(fx[k], wz, sx);
        sy = fused::mul_add(fy[k], wz, sy);
        sz = fused::mul_add(fz[k], load_z(w + z_slopes, lane, k), sz);
      }
      store_parts(d, sx, partial);
      store_parts(d, sy, partial + 8 * parts);
      store_parts(d, sz, partial + 16 * parts);
    }
  }

  static void gather(const SplineTable<Real>& table, const PotentialRows<Real>& potential,
                     Real* forces) noexcept {
    if constexpr (!paired && row_lanes < 8) {
      if (table.bits == Bits::portable) return gather_by<gather_in_order>(table, potential, forces);
    }
    gather_by<gather_atom>(table, potential, forces);
  }

 private:
  template <auto gather_one>
  static HWY_INLINE void gather_by(const SplineTable<Real>& table,
                                   const PotentialRows<Real>& potential, Real* forces) noexcept {
    if (potential.empty() || table.clusters == 0) {
      std::fill_n(forces, 24 * static_cast<std::size_t>(table.clusters), Real(0));
      return;
    }
    // Works one cluster behind, so that the data that finish_forces loads has left the store
    // buffer.
    HWY_ALIGN Real partial[2][partial_size];
    const TiltOf<Real> slant = table.slant;
    for (int c = 0; c < table.clusters; ++c) {
      const std::int32_t* const corner = table.corner.data() + 24 * c;
      for (int lane = 0; lane < 8; ++lane)
        gather_one(table.weights.data() + c * cluster_size, lane, potential.rows_of(corner, lane),
                   potential.columns(), potential.place_of(corner, lane),
                   partial[c % 2] + parts * lane);
      if (c > 0) finish_forces(partial[(c - 1) % 2], slant, forces + 24 * (c - 1));
    }
    finish_forces(partial[(table.clusters - 1) % 2], slant, forces + 24 * (table.clusters - 1));
  }
};

#endif  // HWY_TARGET != HWY_SCALAR

}  // namespace fg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_SPLINE_ROWS_INL
