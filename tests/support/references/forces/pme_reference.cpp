// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/forces/pme_reference.hpp"

#include <cmath>
#include <complex>
#include <numbers>
#include <vector>

#include "fft/partition.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg::reference {

namespace {

using Complex = std::complex<double>;

/// One atom's points and weights.
struct Stencil {
  std::array<int, 3> first;  // on the mesh, 0 .. points-1
  std::array<std::array<double, max_spline_order>, 3> weight, slope;
};

Stencil stencil_of(const MeshSettings& s, const Vec3& position) {
  Stencil result;
  const Vec3 fractional = s.box.fractional(position);
  for (int a = 0; a < 3; ++a) {
    const double u = fractional[a] * s.mesh[a];
    result.first[a] = fft::wrap(static_cast<int>(std::floor(u)), s.mesh[a]);
    bspline_weights(s.order, u - std::floor(u), result.weight[a], result.slope[a]);
  }
  return result;
}

template <class Visit>
void for_each_point(const MeshSettings& s, const Stencil& stencil, Visit&& visit) {
  const auto& [nx, ny, nz] = s.mesh;
  for (int i = 0; i < s.order; ++i)
    for (int j = 0; j < s.order; ++j)
      for (int k = 0; k < s.order; ++k) {
        const std::size_t x = (stencil.first[0] + i) % nx;
        const std::size_t y = (stencil.first[1] + j) % ny;
        const std::size_t z = (stencil.first[2] + k) % nz;
        visit((x * ny + y) * nz + z, i, j, k);
      }
}

/// Along one axis: lines of `length` elements `stride` apart.
void transform(std::vector<Complex>& grid, int length, std::size_t stride, int sign) {
  std::vector<Complex> roots(length), line(length);
  for (int k = 0; k < length; ++k)
    roots[k] = std::polar(1.0, sign * 2 * std::numbers::pi * k / length);
  for (std::size_t start = 0; start < grid.size(); ++start) {
    if (start / stride % length != 0) continue;
    for (int k = 0; k < length; ++k) {
      Complex sum = 0;
      std::size_t turn = 0;
      for (int j = 0; j < length; ++j) {
        sum += grid[start + j * stride] * roots[turn];
        turn += k;
        if (turn >= static_cast<std::size_t>(length)) turn -= length;
      }
      line[k] = sum;
    }
    for (int k = 0; k < length; ++k) grid[start + k * stride] = line[k];
  }
}

void transform(std::vector<Complex>& grid, const std::array<int, 3>& mesh, int sign) {
  transform(grid, mesh[2], 1, sign);
  transform(grid, mesh[1], mesh[2], sign);
  transform(grid, mesh[0], static_cast<std::size_t>(mesh[1]) * mesh[2], sign);
}

}  // namespace

TermResult pme(const MeshSettings& s, std::span<const Vec3> positions,
               std::span<const double> charges, const WaveFactor& factor) {
  const auto& [nx, ny, nz] = s.mesh;
  std::vector<Complex> grid(static_cast<std::size_t>(nx) * ny * nz);
  for (std::size_t atom = 0; atom < positions.size(); ++atom) {
    const Stencil st = stencil_of(s, positions[atom]);
    for_each_point(s, st, [&](std::size_t point, int i, int j, int k) {
      grid[point] += charges[atom] * st.weight[0][i] * st.weight[1][j] * st.weight[2][k];
    });
  }

  transform(grid, s.mesh, -1);
  TermResult result;
  const auto influence = make_influence(s);
  std::size_t point = 0;
  for (int mx = 0; mx < nx; ++mx)
    for (int my = 0; my < ny; ++my)
      for (int mz = 0; mz < nz; ++mz, ++point) {
        const double g = influence->value(mx, my, mz) * (factor ? factor({mx, my, mz}) : 1);
        const double energy = 0.5 * g * std::norm(grid[point]);
        const Virial w = influence->virial(mx, my, mz, energy);
        result.energy += energy;
        for (int c = 0; c < 6; ++c) result.virial[c] += w[c];
        grid[point] *= g;
      }
  transform(grid, s.mesh, +1);

  result.forces.resize(positions.size());
  for (std::size_t atom = 0; atom < positions.size(); ++atom) {
    const Stencil st = stencil_of(s, positions[atom]);
    Vec3 slope;
    for_each_point(s, st, [&](std::size_t p, int i, int j, int k) {
      const double phi = grid[p].real();
      slope.x += st.slope[0][i] * st.weight[1][j] * st.weight[2][k] * phi;
      slope.y += st.weight[0][i] * st.slope[1][j] * st.weight[2][k] * phi;
      slope.z += st.weight[0][i] * st.weight[1][j] * st.slope[2][k] * phi;
    });
    for (int a = 0; a < 3; ++a) slope[a] *= -charges[atom] * s.mesh[a] / s.box.edge[a];
    result.forces[atom] = from_axes(slope, s.box.reciprocal_tilt());
  }
  return result;
}

}  // namespace fg::reference
