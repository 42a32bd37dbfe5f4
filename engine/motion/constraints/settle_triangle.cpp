// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "motion/constraints/settle.hpp"

namespace fg {

SettleTriangle::SettleTriangle(const WaterGeometry& water) noexcept {
  const double total = water.mass_o + 2 * water.mass_h;
  if (!(total > 0)) return;
  rc = 0.5 * water.r_hh;
  const double height = std::sqrt(water.r_oh * water.r_oh - rc * rc);
  weight_o = water.mass_o / total;
  weight_h = water.mass_h / total;
  ra = 2 * weight_h * height;
  rb = height - ra;
  inverse_mass_o = 1.0 / water.mass_o;
  inverse_mass_h = 1.0 / water.mass_h;

  // Multipliers mu of (O H1, O H2, H1 H2), with sides p = h1 - o, q = h2 - o, s = h2 - h1. The rate
  // of a side's length changes by M mu, where M contains products of sides over masses.
  const double p2 = water.r_oh * water.r_oh;
  const double s2 = water.r_hh * water.r_hh;
  const double pq = p2 - 0.5 * s2;
  const double ps = -0.5 * s2, qs = 0.5 * s2;
  const double io = inverse_mass_o, ih = inverse_mass_h;
  const double m[3][3] = {{p2 * (io + ih), pq * io, -ps * ih},
                          {pq * io, p2 * (io + ih), qs * ih},
                          {-ps * ih, qs * ih, 2 * s2 * ih}};
  const double determinant = m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) -
                             m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                             m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0]);
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      const int a = (j + 1) % 3, b = (j + 2) % 3, c = (i + 1) % 3, d = (i + 2) % 3;
      velocity_inverse[3 * i + j] = (m[a][c] * m[b][d] - m[a][d] * m[b][c]) / determinant;
    }
}

}  // namespace fg
