// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of a density on a periodic mesh, the waves of their sum, and phi = factor Laplace^-1 of it
// with integers as wave numbers: in long double, by the definition of the transform of each line.
// Densities are multiples of 1/1024, so that their sums are exact in any order.
#pragma once

#include <array>
#include <cmath>
#include <complex>
#include <cstdint>
#include <vector>

#include "base/philox.hpp"
#include "fft/grid_box.hpp"
#include "fft/lines/plain_transform.hpp"

namespace fg::test {

using fft::GridBox;

struct PoissonCase {
  std::array<int, 3> mesh;
  std::array<int, 2> grid;
  std::vector<GridBox> boxes;  // of sources; each pencil needs one that touches it
  std::vector<std::int64_t> rounds{3, 4, 5, 7, 9, 12};
  std::uint64_t scattered = 0;  // 0: elements in runs; else the seed of their places
};

/// Blocks of all kinds: the whole mesh, over edges, within, a point, some periods away and wider
/// than the mesh.
inline PoissonCase poisson_case(std::array<int, 3> mesh, std::array<int, 2> grid) {
  const auto& [nx, ny, nz] = mesh;
  return {mesh,
          grid,
          {{{0, 0, 0}, {nx, ny, nz}},
           {{-2, ny - 2, nz - 1}, {2, ny + 2, nz + 1}},
           {{1, 1, 0}, {3, 2, nz}},
           {{nx - 1, 0, 0}, {nx, 1, 1}},
           {{2 * nx + 1, -3 * ny, -nz}, {2 * nx + 4, -2 * ny, 1 - nz}},
           {{-1, 0, -2}, {2 * nx, 2, 2 * nz + 1}}}};
}

inline std::vector<PoissonCase> poisson_cases() {
  return {poisson_case({8, 6, 10}, {1, 1}), poisson_case({8, 6, 10}, {3, 2}),
          poisson_case({7, 9, 5}, {4, 3}), poisson_case({5, 6, 1}, {5, 1}),
          poisson_case({16, 12, 9}, {2, 5})};
}

inline double factor_of_round(std::int64_t round) {
  return 1 + 0.25 * static_cast<double>(round);
}

/// The density of one source at one point of its box, before the box is wrapped.
inline double density(int source, std::int64_t round, int x, int y, int z) {
  const auto at = [](std::int64_t i) { return static_cast<std::uint32_t>(i); };
  const auto words = philox4x32({at(x), at(y), at(z), at(source)}, {at(round), 5});
  return static_cast<double>(words[0] % 2048) / 1024 - 1;
}

template <class Visit>
void for_each_in(const GridBox& box, Visit&& visit) {
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) visit(x, y, z);
}

/// The square of the wave vector, in units of (2 pi / length)^2.
inline double wave_square(const std::array<int, 3>& mesh, const std::array<int, 3>& k) {
  double sum = 0;
  for (std::size_t a = 0; a < 3; ++a) {
    const double m = 2 * k[a] <= mesh[a] ? k[a] : k[a] - mesh[a];
    sum += m * m;
  }
  return sum;
}

using LongMesh = std::vector<fft::LongComplex>;  // [x][y][z]

inline void transform_axes(const std::array<int, 3>& mesh, LongMesh& values) {
  const std::array<std::size_t, 3> step{static_cast<std::size_t>(mesh[1]) * mesh[2],
                                        static_cast<std::size_t>(mesh[2]), 1};
  for (std::size_t axis = 0; axis < 3; ++axis)
    for (std::size_t first = 0; first < values.size(); ++first) {
      const auto n = static_cast<std::size_t>(mesh[axis]);
      if (first / step[axis] % n != 0) continue;  // not the beginning of a line
      std::vector<fft::LongComplex> line(n);
      for (std::size_t i = 0; i < n; ++i) line[i] = values[first + i * step[axis]];
      line = fft::plain_transform(line);
      for (std::size_t i = 0; i < n; ++i) values[first + i * step[axis]] = line[i];
    }
}

inline std::size_t place_in(const std::array<int, 3>& mesh, int x, int y, int z) {
  return (static_cast<std::size_t>(fft::wrap(x, mesh[0])) * mesh[1] + fft::wrap(y, mesh[1])) *
             mesh[2] +
         fft::wrap(z, mesh[2]);
}

/// sum_r rho(r) exp(-ikr)
inline LongMesh expected_waves(const PoissonCase& is, std::int64_t round) {
  LongMesh values(static_cast<std::size_t>(is.mesh[0]) * is.mesh[1] * is.mesh[2]);
  for (std::size_t s = 0; s < is.boxes.size(); ++s)
    for_each_in(is.boxes[s], [&](int x, int y, int z) {
      values[place_in(is.mesh, x, y, z)] += density(static_cast<int>(s), round, x, y, z);
    });
  transform_axes(is.mesh, values);
  return values;
}

inline LongMesh expected_potential(const PoissonCase& is, std::int64_t round) {
  LongMesh values = expected_waves(is, round);
  const auto points = static_cast<long double>(values.size());
  for_each_in({{0, 0, 0}, is.mesh}, [&](int x, int y, int z) {
    auto& wave = values[place_in(is.mesh, x, y, z)];
    const double k2 = wave_square(is.mesh, {x, y, z});
    wave = k2 > 0
               ? std::conj(wave) * static_cast<long double>(-factor_of_round(round) / k2) / points
               : 0;
  });
  transform_axes(is.mesh, values);  // of the conjugate: the conjugate of the sum with exp(+ikr)
  return values;
}

/// The root mean square of a - b over that of all expected values, for pairs a, b given one by one.
class RelativeError {
 public:
  explicit RelativeError(const LongMesh& all) {
    for (const auto& value : all) size_ += std::norm(value) / static_cast<long double>(all.size());
  }
  void add(const fft::LongComplex& a, const fft::LongComplex& b) {
    difference_ += std::norm(a - b);
    ++count_;
  }
  double value() const {
    return static_cast<double>(std::sqrt(difference_ / static_cast<long double>(count_) / size_));
  }

 private:
  long double difference_ = 0, size_ = 0;
  std::int64_t count_ = 0;
};

}  // namespace fg::test
