// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/influence.hpp"

#include <cmath>
#include <numbers>

namespace fg {

Influence::Influence(const MeshSettings& s)
    : prefactor_(1 / (std::numbers::pi * s.box.volume())),
      width_(std::numbers::pi * std::numbers::pi / (s.alpha * s.alpha)) {
  for (int a = 0; a < 3; ++a) {
    const int n = s.mesh[a];
    Axis& axis = axes_[a];
    axis.spline = bspline_moduli(s.order, n);
    for (double& modulus : axis.spline) modulus = 1 / modulus;
    for (int m = 0; m < n; ++m) {
      const double wave = (2 * m <= n ? m : m - n) / s.box.edge[a];
      axis.wave.push_back(wave);
      axis.mixed.push_back(2 * m == n ? 0 : wave);
    }
  }
}

double Influence::value(int mx, int my, int mz) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return 0;
  const auto& [x, y, z] = axes_;
  const double m2 = x.wave[mx] * x.wave[mx] + y.wave[my] * y.wave[my] + z.wave[mz] * z.wave[mz];
  const double splines = x.spline[mx] * y.spline[my] * z.spline[mz];
  return prefactor_ * splines * std::exp(-width_ * m2) / m2;
}

Virial Influence::virial(int mx, int my, int mz, double energy) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return {};
  const auto& [x, y, z] = axes_;
  const double a = x.wave[mx], b = y.wave[my], c = z.wave[mz];
  const double m2 = a * a + b * b + c * c;
  const double f = 2 * energy * (1 / m2 + width_);
  const double am = x.mixed[mx], bm = y.mixed[my], cm = z.mixed[mz];
  return {energy - f * a * a, energy - f * b * b, energy - f * c * c,
          -f * am * bm,       -f * am * cm,       -f * bm * cm};
}

}  // namespace fg
