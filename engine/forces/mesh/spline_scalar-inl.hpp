// SPDX-License-Identifier: BSD-3-Clause
//
// The spline kernels for the scalar target, number by number. They have the operations, and the
// order of sums, of vectors of 8 numbers (spline_rows-inl.hpp). Each product that goes into a sum
// is rounded with it. So their bits are the portable ones.
#if defined(FG_SPLINE_SCALAR_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef FG_SPLINE_SCALAR_INL
#undef FG_SPLINE_SCALAR_INL
#else
#define FG_SPLINE_SCALAR_INL
#endif

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>

#include "forces/mesh/potential_rows.hpp"
#include "forces/mesh/spline_table.hpp"
#include "hwy/highway.h"

HWY_BEFORE_NAMESPACE();
namespace fg::HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR

template <class Real, int N>
struct SplineKernel {
  static constexpr int W = padded_order(N);
  static constexpr std::size_t cluster_size = spline_cluster_size(N);
  static constexpr int x_slopes = 8 * N, y = 16 * N, y_slopes = 24 * N, z = 32 * N;
  static constexpr int z_slopes = z + 8 * W;

  /// The place of point k of a row among the weights along z.
  static std::size_t row_place(int lane, int k) noexcept { return 32 * (k / 4) + 4 * lane + k % 4; }

  // ----- splines -----

  static void weights(Real w, Real* m, Real* slope) noexcept {
    m[0] = Real(1) - w;
    m[1] = w;
    for (int l = 3; l <= N; ++l) {
      if (l == N) {
        slope[0] = -m[0];
        for (int j = 1; j < N - 1; ++j) slope[j] = m[j - 1] - m[j];
        slope[N - 1] = m[N - 2];
      }
      const Real scale = Real(1) / Real(l - 1);
      m[l - 1] = scale * w * m[l - 2];
      for (int j = 1; j < l - 1; ++j) {
        const Real left = w + Real(j), right = Real(l - j) - w;
        m[l - j - 1] = scale * std::fma(left, m[l - j - 2], right * m[l - j - 1]);
      }
      m[0] = scale * (Real(1) - w) * m[0];
    }
  }

  /// The place in points from the frame's corner.
  static void place(const SplineAtoms<Real>& atoms, const Real* at, Real* u) noexcept {
    u[0] = std::fma(atoms.slant.xy, at[8], std::fma(atoms.slant.xz, at[16], at[0]));
    u[1] = std::fma(atoms.slant.yz, at[16], at[8]);
    u[2] = at[16];
    for (int a = 0; a < 3; ++a) u[a] = std::fma(u[a], atoms.density[a], atoms.centre[a]);
  }

  static TouchedPoints make(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept {
    TouchedPoints touched{.low = atoms.room, .high = {0, 0, 0}};
    table.slant = atoms.slant;
    for (int c = 0; c < table.clusters; ++c) {
      Real* const out = table.weights.data() + c * cluster_size;
      std::int32_t* const corner = table.corner.data() + 24 * c;
      std::fill_n(out, cluster_size, Real(0));
      for (int lane = 0; lane < 8; ++lane) {
        Real q = atoms.charges[8 * c + lane];
        Real u[3] = {0, 0, 0};
        if (q != 0) {
          place(atoms, atoms.positions + 24 * c + lane, u);
          bool inside = true;
          for (int a = 0; a < 3; ++a)
            inside = inside && u[a] >= 0 && u[a] < Real(atoms.room[a] - N + 1);
          if (!inside) {
            if (touched.outside < 0) touched.outside = 8 * c + lane;
            q = 0;
            std::fill_n(u, 3, Real(0));
          }
        }
        for (int a = 0; a < 3; ++a) {
          const Real floor = std::floor(u[a]);
          const int first = static_cast<int>(floor);
          corner[8 * a + lane] = first;
          if (q != 0) {
            touched.low[a] = std::min(touched.low[a], first);
            touched.high[a] = std::max(touched.high[a], first + N);
          }
          Real m[N], slope[N]{};
          weights(u[a] - floor, m, slope);
          const Real fold = a == 0 ? q : Real(1), fold_slope = fold * -atoms.density[a];
          for (int j = 0; j < N; ++j) {
            const std::size_t at = a == 2 ? z + row_place(lane, j) : 2 * a * 8 * N + 8 * j + lane;
            out[at] = fold * m[j];
            out[at + (a == 2 ? 8 * W : 8 * N)] = fold_slope * slope[j];
          }
        }
      }
    }
    // Lanes without a charge write nothing; they are moved to a place that is safe to read.
    for (int a = 0; a < 3; ++a) touched.low[a] = std::min(touched.low[a], touched.high[a]);
    for (int slot = 0; slot < 8 * table.clusters; ++slot) {
      std::int32_t* const corner = table.corner.data() + 24 * (slot / 8) + slot % 8;
      for (int a = 0; a < 3; ++a) corner[8 * a] = std::max<int>(corner[8 * a], touched.low[a]);
    }
    return touched;
  }

  // ----- rows -----

  template <class T>
  static T* first_point(const GridView<T>& g, const std::int32_t* corner, int lane) noexcept {
    const std::ptrdiff_t px = corner[lane] - g.low[0], py = corner[8 + lane] - g.low[1];
    return g.values + (px * g.size[1] + py) * g.size[2] + (corner[16 + lane] - g.low[2]);
  }

  static void spread(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept {
    if (grid.size[0] <= 0) return;
    for (int c = 0; c < table.clusters; ++c) {
      const Real* const w = table.weights.data() + c * cluster_size;
      for (int lane = 0; lane < 8; ++lane) {
        Real* const corner = first_point(grid, table.corner.data() + 24 * c, lane);
        for (int i = 0; i < N; ++i)
          for (int j = 0; j < N; ++j) {
            Real* const row =
                corner + (static_cast<std::ptrdiff_t>(i) * grid.size[1] + j) * grid.size[2];
            for (int k = 0; k < N; ++k)
              row[k] = std::fma(w[8 * i + lane], w[y + 8 * j + lane] * w[z + row_place(lane, k)],
                                row[k]);
          }
      }
    }
  }

  /// Eight numbers, added up as the halves of a vector.
  static Real fold(const Real* v) noexcept {
    return ((v[0] + v[4]) + (v[2] + v[6])) + ((v[1] + v[5]) + (v[3] + v[7]));
  }

  static void gather_atom(const Real* w, int lane, const Real* const* rows, std::ptrdiff_t columns,
                          std::ptrdiff_t place, Real* force) noexcept {
    // Rows of four share a vector with those of the next plane.
    constexpr int numbers = 8;
    Real fx[numbers] = {}, fy[numbers] = {}, fz[numbers] = {};
    for (int i = 0; i < N; ++i)
      for (int k = 0; k < (W == 4 ? 4 : N); ++k) {
        Real value = 0, slope = 0;
        for (int j = 0; j < N; ++j) {
          const Real v = rows[i * columns + j][place + k];
          value = std::fma(w[y + 8 * j + lane], v, value);
          slope = std::fma(w[y_slopes + 8 * j + lane], v, slope);
        }
        const int at = W == 4 ? i % 2 * 4 + k : k;
        fx[at] = std::fma(w[x_slopes + 8 * i + lane], value, fx[at]);
        fy[at] = std::fma(w[8 * i + lane], slope, fy[at]);
        fz[at] = std::fma(w[8 * i + lane], value, fz[at]);
      }
    for (int at = 0; at < numbers; ++at) {
      const std::size_t row = row_place(lane, at % W);
      fx[at] *= w[z + row];
      fy[at] *= w[z + row];
      fz[at] *= w[z_slopes + row];
    }
    force[0] = fold(fx), force[1] = fold(fy), force[2] = fold(fz);
  }

  static void gather(const SplineTable<Real>& table, const PotentialRows<Real>& potential,
                     Real* forces) noexcept {
    if (potential.empty() || table.clusters == 0) {
      std::fill_n(forces, 24 * static_cast<std::size_t>(table.clusters), Real(0));
      return;
    }
    const TiltOf<Real> slant = table.slant;
    for (int c = 0; c < table.clusters; ++c)
      for (int lane = 0; lane < 8; ++lane) {
        const std::int32_t* const corner = table.corner.data() + 24 * c;
        Real f[3];
        gather_atom(table.weights.data() + c * cluster_size, lane, potential.rows_of(corner, lane),
                    potential.columns(), potential.place_of(corner, lane), f);
        if (slant.xy != 0 || slant.xz != 0 || slant.yz != 0) {
          f[2] = std::fma(slant.yz, f[1], std::fma(slant.xz, f[0], f[2]));
          f[1] = std::fma(slant.xy, f[0], f[1]);
        }
        for (int a = 0; a < 3; ++a) forces[24 * c + 8 * a + lane] = f[a];
      }
  }
};

#endif  // HWY_TARGET == HWY_SCALAR

}  // namespace fg::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif  // FG_SPLINE_SCALAR_INL
