// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/forces/influence_reference.hpp"

#include <cmath>
#include <numbers>

namespace fg::reference {

namespace {

constexpr long double pi = std::numbers::pi_v<long double>;

long double transform(int order, int points, int wave) {
  if (wave == 0) return 1;
  const long double phase = pi * wave / points;
  const long double ratio = std::sin(phase) / phase;
  long double result = 1;
  for (int i = 0; i < order; ++i) result *= ratio;
  return result;
}

}  // namespace

ImagesOfWave images_of_wave(const MeshSettings& s, const std::array<int, 3>& wave) {
  ImagesOfWave sums;
  const Tilt slant = s.box.reciprocal_tilt();
  const auto wave_vector = [&](const Vec3& m) {
    return from_axes({m.x / s.box.edge.x, m.y / s.box.edge.y, m.z / s.box.edge.z}, slant);
  };
  // Without a Gaussian the sums are products of those along the axes. They end where s^-6 leaves
  // 1e-17 of the whole.
  long double zeroth[3] = {}, first[3] = {}, second[3] = {};
  for (int a = 0; a < 3; ++a)
    for (int j = -1500; j <= 1500; ++j) {
      const int m = wave[a] + j * s.mesh[a];
      const long double w = transform(s.order, s.mesh[a], m);
      zeroth[a] += w * w, first[a] += m * w * w, second[a] += w * w * m * m;
    }
  sums.square = zeroth[0] * zeroth[1] * zeroth[2];
  const std::array<Vec3, 3> units{wave_vector({1, 0, 0}), wave_vector({0, 1, 0}),
                                  wave_vector({0, 0, 1})};
  for (int a = 0; a < 3; ++a)
    for (int b = 0; b < 3; ++b) {
      const long double mean =
          a == b ? second[a] / zeroth[a] : first[a] / zeroth[a] * first[b] / zeroth[b];
      const auto part = static_cast<double>(sums.square * mean);
      sums.square_wave += part * dot(units[a], units[b]);
      add_virial(sums.square_products, units[a], units[b] * part);
    }
  // Beyond the fifth image a Gaussian is nothing.
  const long double width = pi * pi / (s.alpha * s.alpha);
  for (int i = -5; i <= 5; ++i)
    for (int j = -5; j <= 5; ++j)
      for (int k = -5; k <= 5; ++k) {
        const int x = wave[0] + i * s.mesh[0], y = wave[1] + j * s.mesh[1],
                  z = wave[2] + k * s.mesh[2];
        const Vec3 m = wave_vector(Vec3{double(x), double(y), double(z)});
        const long double m2 = dot(m, m), gauss = std::exp(-width * m2);
        if (m2 == 0 || gauss < 1e-60L) continue;
        const long double w = transform(s.order, s.mesh[0], x) * transform(s.order, s.mesh[1], y) *
                              transform(s.order, s.mesh[2], z);
        sums.gauss += w * w * gauss;
        sums.exact += gauss * gauss / m2;
        add_virial(sums.gauss_products, m, m * static_cast<double>(w * w * gauss));
      }
  return sums;
}

double optimal_influence(const MeshSettings& s, const ImagesOfWave& sums) {
  return static_cast<double>(sums.gauss / (pi * s.box.volume() * sums.square * sums.square_wave));
}

Virial optimal_virial(const MeshSettings& s, const ImagesOfWave& sums, double energy) {
  // d ln G / d strain_ab = -delta_ab + 2 pi^2 / alpha^2 <m_a m_b> of the Gaussian sum + 2 <m_a m_b>
  // of sum m^2 W^2; strain makes waves shorter, d m_a = -strain_ab m_b.
  Virial result{};
  for (int c = 0; c < 6; ++c)
    result[c] = static_cast<double>(
        energy *
        ((c < 3 ? 1 : 0) - 2 * pi * pi / (s.alpha * s.alpha) * sums.gauss_products[c] / sums.gauss -
         2 * sums.square_products[c] / sums.square_wave));
  return result;
}

double square_error(const MeshSettings& s, const ImagesOfWave& sums, double g) {
  // A wave of the force is 2 pi m times that of the potential, over all pairs of images of the
  // mesh: those of the place where the charge is, and of the place where the force acts.
  const long double exact = 1 / (pi * s.box.volume());
  return static_cast<double>(4 * pi * pi *
                             (static_cast<long double>(g) * g * sums.square * sums.square_wave -
                              2 * g * exact * sums.gauss + exact * exact * sums.exact));
}

}  // namespace fg::reference
