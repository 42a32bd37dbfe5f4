// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/forces/spline_table_reference.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace fg::reference {

namespace {

/// The places of the weights of point `j` of atom `lane` in the table.
struct Slots {
  int order, lane;
  std::size_t x(int j) const { return 8 * j + lane; }
  std::size_t x_slope(int j) const { return 8 * (order + j) + lane; }
  std::size_t y(int j) const { return 8 * (2 * order + j) + lane; }
  std::size_t y_slope(int j) const { return 8 * (3 * order + j) + lane; }
  std::size_t z(int j) const { return 32 * (order + j / 4) + 4 * lane + j % 4; }
  std::size_t z_slope(int j) const { return 8 * padded_order(order) + z(j); }
};

template <class T>
std::size_t point(const GridView<T>& g, const std::int32_t* corner, int lane) {
  const std::size_t x = corner[lane] - g.low[0], y = corner[8 + lane] - g.low[1];
  return (x * g.size[1] + y) * g.size[2] + (corner[16 + lane] - g.low[2]);
}

}  // namespace

template <class Real>
TouchedPoints make_splines(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept {
  const int n = table.order;
  TouchedPoints touched{.low = atoms.room, .high = {0, 0, 0}};
  table.slant = atoms.slant;
  const Tilt slant{table.slant.xy, table.slant.xz, table.slant.yz};
  for (int c = 0; c < table.clusters; ++c) {
    Real* weights = table.weights.data() + c * spline_cluster_size(n);
    std::int32_t* corner = table.corner.data() + 24 * c;
    std::fill_n(weights, spline_cluster_size(n), Real(0));
    for (int lane = 0; lane < 8; ++lane) {
      double charge = atoms.charges[8 * c + lane];
      std::array<double, 3> u{};
      if (charge != 0) {
        bool inside = true;
        const Real* at = atoms.positions + 24 * c + lane;
        const Vec3 along = along_axes(Vec3{at[0], at[8], at[16]}, slant);
        for (int a = 0; a < 3; ++a) {
          u[a] = along[a] * atoms.density[a] + atoms.centre[a];
          inside = inside && u[a] >= 0 && u[a] < atoms.room[a] - n + 1;
        }
        if (!inside) {
          if (touched.outside < 0) touched.outside = 8 * c + lane;
          charge = 0;
          u = {};
        }
      }
      const Slots slots{n, lane};
      std::array<std::array<double, max_spline_order>, 3> weight, slope;
      for (int a = 0; a < 3; ++a) {
        const int first = static_cast<int>(std::floor(u[a]));
        bspline_weights(n, u[a] - first, weight[a], slope[a]);
        corner[8 * a + lane] = first;
        if (charge == 0) continue;
        touched.low[a] = std::min(touched.low[a], first);
        touched.high[a] = std::max(touched.high[a], first + n);
      }
      for (int j = 0; j < n; ++j) {
        weights[slots.x(j)] = static_cast<Real>(charge * weight[0][j]);
        weights[slots.x_slope(j)] = static_cast<Real>(-charge * atoms.density[0] * slope[0][j]);
        weights[slots.y(j)] = static_cast<Real>(weight[1][j]);
        weights[slots.y_slope(j)] = static_cast<Real>(-atoms.density[1] * slope[1][j]);
        weights[slots.z(j)] = static_cast<Real>(weight[2][j]);
        weights[slots.z_slope(j)] = static_cast<Real>(-atoms.density[2] * slope[2][j]);
      }
    }
  }
  // Lanes without a charge write nothing; they are moved to a place that is safe to read.
  for (int a = 0; a < 3; ++a) touched.low[a] = std::min(touched.low[a], touched.high[a]);
  for (int slot = 0; slot < 8 * table.clusters; ++slot) {
    std::int32_t* corner = table.corner.data() + 24 * (slot / 8) + slot % 8;
    for (int a = 0; a < 3; ++a) corner[8 * a] = std::max<int>(corner[8 * a], touched.low[a]);
  }
  return touched;
}

template <class Real>
void spread_charges(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept {
  const int n = table.order;
  for (int c = 0; c < table.clusters; ++c)
    for (int lane = 0; lane < 8; ++lane) {
      const Real* w = table.weights.data() + c * spline_cluster_size(n);
      const Slots slots{n, lane};
      if (w[slots.x(0)] == 0 && w[slots.x(n - 1)] == 0) continue;
      Real* corner = grid.values + point(grid, table.corner.data() + 24 * c, lane);
      for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j)
          for (int k = 0; k < n; ++k)
            corner[(i * grid.size[1] + j) * grid.size[2] + k] +=
                w[slots.x(i)] * w[slots.y(j)] * w[slots.z(k)];
    }
}

template <class Real>
void gather_forces(const SplineTable<Real>& table, const GridView<const Real>& grid,
                   Real* forces) noexcept {
  const int n = table.order;
  const Tilt slant{table.slant.xy, table.slant.xz, table.slant.yz};
  for (int c = 0; c < table.clusters; ++c)
    for (int lane = 0; lane < 8; ++lane) {
      const Real* w = table.weights.data() + c * spline_cluster_size(n);
      const Slots slots{n, lane};
      double fx = 0, fy = 0, fz = 0;
      if (w[slots.x(0)] != 0 || w[slots.x(n - 1)] != 0) {
        const Real* corner = grid.values + point(grid, table.corner.data() + 24 * c, lane);
        for (int i = 0; i < n; ++i)
          for (int j = 0; j < n; ++j)
            for (int k = 0; k < n; ++k) {
              const double phi = corner[(i * grid.size[1] + j) * grid.size[2] + k];
              fx += w[slots.x_slope(i)] * w[slots.y(j)] * w[slots.z(k)] * phi;
              fy += w[slots.x(i)] * w[slots.y_slope(j)] * w[slots.z(k)] * phi;
              fz += w[slots.x(i)] * w[slots.y(j)] * w[slots.z_slope(k)] * phi;
            }
      }
      const Vec3 force = from_axes({fx, fy, fz}, slant);
      for (int a = 0; a < 3; ++a) forces[24 * c + 8 * a + lane] = force[a];
    }
}

template TouchedPoints make_splines(const SplineAtoms<float>&, SplineTable<float>&) noexcept;
template TouchedPoints make_splines(const SplineAtoms<double>&, SplineTable<double>&) noexcept;
template void spread_charges(const SplineTable<float>&, const GridView<float>&) noexcept;
template void spread_charges(const SplineTable<double>&, const GridView<double>&) noexcept;
template void gather_forces(const SplineTable<float>&, const GridView<const float>&,
                            float*) noexcept;
template void gather_forces(const SplineTable<double>&, const GridView<const double>&,
                            double*) noexcept;

}  // namespace fg::reference
