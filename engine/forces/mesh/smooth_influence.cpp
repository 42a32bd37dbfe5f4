// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/smooth_influence.hpp"

#include <cmath>
#include <numbers>

#include "base/elementary.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg {

namespace {

// Halving is exact: the mean of two equal numbers is that number.
double mean(double a, double b) noexcept {
  return 0.5 * (a + b);
}
Virial mean(const Virial& a, const Virial& b) noexcept {
  Virial result;
  for (int c = 0; c < 6; ++c) result[c] = mean(a[c], b[c]);
  return result;
}

}  // namespace

SmoothInfluence::SmoothInfluence(const MeshSettings& s)
    : width_(std::numbers::pi * std::numbers::pi / (s.alpha * s.alpha)) {
  for (int a = 0; a < 3; ++a) {
    const int n = s.mesh[a];
    Axis& axis = axes_[a];
    axis.spline = bspline_moduli(s.order, n);
    for (double& modulus : axis.spline) modulus = 1 / modulus;
    axis.wave.resize(axis.spline.size());
    axis.highest = n % 2 == 0 ? n / 2 : -1;
  }
  set_box(s.box);
}

void SmoothInfluence::set_box(const Box& box) noexcept {
  slant_ = box.reciprocal_tilt();
  prefactor_ = 1 / (std::numbers::pi * box.volume());
  for (int a = 0; a < 3; ++a) {
    const int n = static_cast<int>(axes_[a].wave.size());
    for (int m = 0; m < n; ++m) axes_[a].wave[m] = (2 * m <= n ? m : m - n) / box.edge[a];
  }
}

template <class OfWave>
auto SmoothInfluence::over_signs(int mx, int my, int mz, OfWave&& of_wave) const noexcept {
  const auto& [x, y, z] = axes_;
  const auto over_x = [&](const Vec3& s) {
    const auto one = of_wave(from_axes(s, slant_));
    if (mx != x.highest) return one;
    return mean(one, of_wave(from_axes({-s.x, s.y, s.z}, slant_)));
  };
  const auto over_xy = [&](const Vec3& s) {
    const auto one = over_x(s);
    return my != y.highest ? one : mean(one, over_x({s.x, -s.y, s.z}));
  };
  const Vec3 s{x.wave[mx], y.wave[my], z.wave[mz]};
  const auto one = over_xy(s);
  return mz != z.highest ? one : mean(one, over_xy({s.x, s.y, -s.z}));
}

double SmoothInfluence::factor(double splines, const Vec3& m) const noexcept {
  const double m2 = dot(m, m);
  return prefactor_ * splines * elementary::exp(-width_ * m2) / m2;
}

double SmoothInfluence::value(int mx, int my, int mz) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return 0;
  const auto& [x, y, z] = axes_;
  const double splines = x.spline[mx] * y.spline[my] * z.spline[mz];
  return over_signs(mx, my, mz, [&](const Vec3& m) { return factor(splines, m); });
}

Virial SmoothInfluence::virial(int mx, int my, int mz, double energy) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return {};
  const auto& [x, y, z] = axes_;
  const bool both = mx == x.highest || my == y.highest || mz == z.highest;
  const auto share = [&](const Vec3& m) { return factor(1, m); };
  const double all = both ? over_signs(mx, my, mz, share) : 0;
  return over_signs(mx, my, mz, [&](const Vec3& m) {
    const double e = all > 0 ? energy * (share(m) / all) : energy;
    const double f = 2 * e * (1 / dot(m, m) + width_);
    return Virial{e - f * m.x * m.x, e - f * m.y * m.y, e - f * m.z * m.z,
                  -f * m.x * m.y,    -f * m.x * m.z,    -f * m.y * m.z};
  });
}

Virial SmoothInfluence::row_virial(int my, int mz,
                                   std::span<const double> energies) const noexcept {
  const auto& [x, y, z] = axes_;
  const int count = static_cast<int>(energies.size());
  Virial sum{};
  const auto add_one = [&](int mx) {
    const Virial one = virial(mx, my, mz, energies[mx]);
    for (int c = 0; c < 6; ++c) sum[c] += one[c];
  };
  if ((my == 0 && mz == 0) || my == y.highest || mz == z.highest) {
    for (int mx = 0; mx < count; ++mx) add_one(mx);
    return sum;
  }
  if (x.highest >= 0) add_one(x.highest);

  // In a row m = s u + w with fixed u and w. Sums of e, f, f s and f s^2 are all that it takes.
  const Vec3 u = from_axes({1, 0, 0}, slant_);
  const Vec3 w = from_axes({0, y.wave[my], z.wave[mz]}, slant_);
  const double uu = dot(u, u), uw = dot(u, w), ww = dot(w, w);
  constexpr int lanes = 8;
  double all[lanes] = {}, f0[lanes] = {}, f1[lanes] = {}, f2[lanes] = {};
  const auto add = [&](int mx, int lane) {
    const double s = x.wave[mx], e = mx == x.highest ? 0 : energies[mx];
    const double f = 2 * e * (1 / (s * (s * uu + 2 * uw) + ww) + width_);
    all[lane] += e, f0[lane] += f, f1[lane] += f * s, f2[lane] += f * s * s;
  };
  int mx = 0;
  for (; mx + lanes <= count; mx += lanes)
    for (int k = 0; k < lanes; ++k) add(mx + k, k);
  for (; mx < count; ++mx) add(mx, 0);
  for (int k = 1; k < lanes; ++k) all[0] += all[k], f0[0] += f0[k], f1[0] += f1[k], f2[0] += f2[k];
  const auto product = [&](int a, int b) {
    return u[a] * u[b] * f2[0] + (u[a] * w[b] + w[a] * u[b]) * f1[0] + w[a] * w[b] * f0[0];
  };
  for (int a = 0; a < 3; ++a) sum[a] += all[0] - product(a, a);
  sum[3] -= product(0, 1);
  sum[4] -= product(0, 2);
  sum[5] -= product(1, 2);
  return sum;
}

}  // namespace fg
