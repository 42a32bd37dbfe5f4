// SPDX-License-Identifier: BSD-3-Clause
//
// Spheres of waves in random cells, their coefficients, and the transform of the padded grid that
// they must agree with.
#pragma once

#include <cmath>
#include <complex>
#include <memory>
#include <vector>

#include "fft/sphere/rank_sphere.hpp"
#include "support/fft/numbered_points.hpp"
#include "support/fft/transform_draw.hpp"
#include "support/fft/transforms_in_process.hpp"

namespace fg::test {

struct SphereSample {
  fft::Grid grid;
  fft::ReciprocalVectors vectors;
  double cutoff;
  fft::SphereKind kind;

  fft::WaveSphere sphere() const { return {grid, vectors, cutoff, kind}; }
};

/// A skew cell, any cut-off, and the smallest grid that holds it or a larger one.
inline SphereSample draw_sphere(Draw& draw) {
  SphereSample sample;
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b)
      sample.vectors[a][b] = (a == b ? draw.between(0.5, 2) : 0) + draw.between(-0.3, 0.3);
  sample.cutoff = draw.between(0, 5);
  sample.kind = draw.upto(2) == 1 ? fft::SphereKind::half : fft::SphereKind::full;
  const fft::WaveSphere large({101, 101, 101}, sample.vectors, sample.cutoff, sample.kind);
  sample.grid = {1, 1, 1};
  for (const fft::Column& c : large.columns()) {
    const std::array<int, 3> most{std::abs(c.x), std::abs(c.y),
                                  std::max(std::abs(c.first), std::abs(c.last))};
    for (int a = 0; a < 3; ++a) sample.grid[a] = std::max(sample.grid[a], 2 * most[a] + 1);
  }
  for (int& n : sample.grid) n += draw.upto(7) - 1;
  return sample;
}

/// The coefficient of a wave, the same whoever holds it; real for G = 0 of a real orbital.
inline std::complex<double> coefficient(const std::array<int, 3>& g, int orbital,
                                        fft::SphereKind kind) {
  const std::complex<double> any = number(g, orbital);
  const bool real = kind == fft::SphereKind::half && g == std::array{0, 0, 0};
  return real ? any.real() : any;
}

/// One rank's part and its arrays.
template <class Real>
class SphereArrays {
 public:
  using Complex = std::complex<Real>;

  SphereArrays(const std::shared_ptr<const fft::SpherePlan>& plan, int rank,
               const fft::Storage& points, int batch)
      : part(plan, rank, points, batch),
        points_storage(points),
        indices(plan->indices_of(rank)),
        point_bytes(fft::extent_of(points, fft::fields_of(plan->sphere().kind(), batch)) *
                    sizeof(Complex)),
        wave_bytes(static_cast<std::size_t>(batch) * indices.size() * sizeof(Complex)) {
    for (int orbital = 0; orbital < batch; ++orbital)
      for (std::size_t k = 0; k < indices.size(); ++k)
        wave(orbital, k) = Complex(coefficient(indices[k], orbital, plan->sphere().kind()));
  }

  Complex& wave(int orbital, std::size_t k) {
    return reinterpret_cast<Complex*>(
        wave_bytes.data())[static_cast<std::size_t>(orbital) * indices.size() + k];
  }
  Complex& point(int field, const std::array<int, 3>& p) {
    return reinterpret_cast<Complex*>(
        point_bytes.data())[points_storage.layout.at(p) +
                            field * static_cast<std::ptrdiff_t>(points_storage.distance)];
  }

  fft::RankSphere<Real> part;
  fft::Storage points_storage;
  std::vector<std::array<int, 3>> indices;
  std::vector<std::byte> point_bytes, wave_bytes;
};

/// The place of a wave in a row-major array of the grid.
inline std::size_t place_in(const fft::Grid& grid, const std::array<int, 3>& g) {
  return static_cast<std::size_t>(
      fft::dense(fft::whole(grid))
          .at({fft::wrap(g[0], grid[0]), fft::wrap(g[1], grid[1]), fft::wrap(g[2], grid[2])}));
}

/// Field `field` on a grid of zeros, as waves.
template <class Real>
std::vector<std::complex<Real>> padded_field(const fft::WaveSphere& sphere, int field, int batch) {
  using Complex = std::complex<Real>;
  const fft::Grid& grid = sphere.grid();
  const bool half = sphere.kind() == fft::SphereKind::half;
  std::vector<Complex> waves(fft::whole(grid).volume());
  for (const fft::Column& c : sphere.columns())
    for (int z = c.first; z <= c.last; ++z) {
      const std::array<int, 3> g{c.x, c.y, z}, minus{-c.x, -c.y, -z};
      const auto of = [&](int orbital) {
        return orbital < batch ? Complex(coefficient(g, orbital, sphere.kind())) : Complex(0);
      };
      if (!half) {
        waves[place_in(grid, g)] = of(field);
        continue;
      }
      const Complex a = of(2 * field), b = of(2 * field + 1);
      waves[place_in(grid, minus)] = {a.real() + b.imag(), b.real() - a.imag()};
      waves[place_in(grid, g)] = {a.real() - b.imag(), a.imag() + b.real()};
    }
  return waves;
}

/// All lines of a grid along z, y and x backward, and along x, y and z forward.
template <class Real>
void transform_all_lines(const fft::Grid& grid, fft::Direction direction,
                         std::vector<std::complex<Real>>& values) {
  const auto [nx, ny, nz] = grid;
  const fft::LineLayout of_z{1, nz, ny * nz}, of_y{nz, 1, ny * nz}, of_x{ny * nz, 1, nz};
  const fft::LineBatch z{nz, ny, nx, of_z, of_z}, y{ny, nz, nx, of_y, of_y},
      x{nx, nz, ny, of_x, of_x};
  const bool backward = direction == fft::Direction::backward;
  for (const fft::LineBatch& lines : {backward ? z : x, y, backward ? x : z})
    fft::LineTransform<Real>(lines, direction).execute(values.data(), values.data());
}

}  // namespace fg::test
