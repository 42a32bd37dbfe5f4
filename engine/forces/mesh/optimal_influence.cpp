// SPDX-License-Identifier: BSD-3-Clause
#include "forces/mesh/optimal_influence.hpp"

#include <cstddef>
#include <numbers>

#include "base/elementary.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg {

namespace {

/// Gaussians below exp(-40) = 4e-18 of the one of the nearest image are left out.
constexpr double negligible = 40;

double power(double x, int n) noexcept {
  double result = 1;
  for (int i = 0; i < n; ++i) result *= x;
  return result;
}

}  // namespace

OptimalInfluence::OptimalInfluence(const MeshSettings& s)
    : width_(std::numbers::pi * std::numbers::pi / (s.alpha * s.alpha)) {
  for (int a = 0; a < 3; ++a) {
    const int n = s.mesh[a];
    Axis& axis = axes_[a];
    const auto sums = bspline_image_sums(s.order, n);
    axis.images.resize(sums.size());
    axis.spline.resize(sums.size());
    axis.gauss.resize(sums.size());
    for (int k = 0; k < n; ++k) {
      const auto& [square, first, second] = sums[k];
      axis.spline[k] = {1, first / square, second / square};
      const double m = 2 * k <= n ? k : k - n;
      // The nearest images of m > 0 are m, m - n, m + n and m - 2 n; those of -m are opposite.
      const double across = m > 0 ? -n : n;
      const double phase = std::numbers::pi * m / n;
      const double own = m == 0 ? 1 : power(elementary::sin(phase) / phase, 2 * s.order);
      const std::array<double, 4> waves{m, m + across, m - across, m + 2 * across};
      for (std::size_t i = 0; i < waves.size(); ++i)
        axis.images[k][i] = {
            waves[i], (i == 0 ? own : own * power(m / waves[i], 2 * s.order)) / (square * square)};
    }
  }
  set_box(s.box);
}

void OptimalInfluence::set_box(const Box& box) noexcept {
  const Tilt slant = box.reciprocal_tilt();
  unit_ = {from_axes(Vec3{1 / box.edge.x, 0, 0}, slant),
           from_axes(Vec3{0, 1 / box.edge.y, 0}, slant), Vec3{0, 0, 1 / box.edge.z}};
  for (int a = 0; a < 3; ++a) square_[a] = dot(unit_[a], unit_[a]);
  mixed_ = Vec3{dot(unit_[0], unit_[1]), dot(unit_[0], unit_[2]), dot(unit_[1], unit_[2])} * 2.0;
  rectangular_ = box.orthorhombic();
  prefactor_ = 1 / (std::numbers::pi * box.volume());
  if (!rectangular_) return;
  for (int a = 0; a < 3; ++a) {
    const double width = width_ * square_[a];
    for (std::size_t k = 0; k < axes_[a].images.size(); ++k) {
      const auto& images = axes_[a].images[k];
      const double nearest = width * images[0].wave * images[0].wave;
      Moments sums;
      for (const Image& image : images) {
        const double s = image.wave;
        const double weight = image.weight * elementary::exp(nearest - width * s * s);
        sums.zeroth += weight, sums.first += weight * s, sums.second += weight * s * s;
      }
      axes_[a].gauss[k] = {sums.zeroth * elementary::exp(-nearest), sums.first / sums.zeroth,
                           sums.second / sums.zeroth};
    }
  }
}

double OptimalInfluence::mean_square(int mx, int my, int mz) const noexcept {
  const Moments &x = axes_[0].spline[mx], &y = axes_[1].spline[my], &z = axes_[2].spline[mz];
  return square_.x * x.second + square_.y * y.second + square_.z * z.second +
         mixed_.x * x.first * y.first + mixed_.y * x.first * z.first + mixed_.z * y.first * z.first;
}

template <class Visit>
void OptimalInfluence::for_each_image(int mx, int my, int mz, Visit&& visit) const noexcept {
  const auto& [x, y, z] = axes_;
  const Vec3 nearest = unit_[0] * x.images[mx][0].wave + unit_[1] * y.images[my][0].wave +
                       unit_[2] * z.images[mz][0].wave;
  const double most = width_ * dot(nearest, nearest) + negligible;
  // The components along x and y of a wave depend on its numbers along the first axes only.
  for (const Image& i : x.images[mx]) {
    const Vec3 along_x = unit_[0] * i.wave;
    const double of_x = width_ * along_x.x * along_x.x;
    if (i.weight == 0 || of_x > most) continue;
    for (const Image& j : y.images[my]) {
      const Vec3 along_y = along_x + unit_[1] * j.wave;
      const double of_y = of_x + width_ * along_y.y * along_y.y;
      if (j.weight == 0 || of_y > most) continue;
      for (const Image& k : z.images[mz]) {
        const Vec3 m = along_y + unit_[2] * k.wave;
        const double exponent = of_y + width_ * m.z * m.z;
        if (k.weight == 0 || exponent > most) continue;
        visit(i.weight * j.weight * k.weight * elementary::exp(-exponent), m);
      }
    }
  }
}

double OptimalInfluence::value(int mx, int my, int mz) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return 0;
  double sum = 0;
  if (rectangular_)
    sum = axes_[0].gauss[mx].zeroth * axes_[1].gauss[my].zeroth * axes_[2].gauss[mz].zeroth;
  else
    for_each_image(mx, my, mz, [&](double weight, const Vec3&) { sum += weight; });
  return prefactor_ * sum / mean_square(mx, my, mz);
}

Virial OptimalInfluence::products(const Moments& x, const Moments& y,
                                  const Moments& z) const noexcept {
  const auto& [u, v, w] = unit_;
  const double xx = x.second * y.zeroth * z.zeroth, yy = x.zeroth * y.second * z.zeroth,
               zz = x.zeroth * y.zeroth * z.second;
  const double xy = x.first * y.first * z.zeroth, xz = x.first * y.zeroth * z.first,
               yz = x.zeroth * y.first * z.first;
  const auto product = [&](int a, int b) {
    return xx * u[a] * u[b] + yy * v[a] * v[b] + zz * w[a] * w[b] +
           xy * (u[a] * v[b] + v[a] * u[b]) + xz * (u[a] * w[b] + w[a] * u[b]) +
           yz * (v[a] * w[b] + w[a] * v[b]);
  };
  return {product(0, 0), product(1, 1), product(2, 2), product(0, 1), product(0, 2), product(1, 2)};
}

Virial OptimalInfluence::gaussian_mean(int mx, int my, int mz) const noexcept {
  if (rectangular_) {
    const auto mean = [](Moments moments) {
      moments.zeroth = 1;
      return moments;
    };
    return products(mean(axes_[0].gauss[mx]), mean(axes_[1].gauss[my]), mean(axes_[2].gauss[mz]));
  }
  double all = 0;
  Virial sum{};
  for_each_image(mx, my, mz, [&](double weight, const Vec3& m) {
    all += weight;
    add_virial(sum, m, m * weight);
  });
  // If all Gaussians are zero, so is the energy.
  if (all > 0)
    for (double& component : sum) component /= all;
  return sum;
}

Virial OptimalInfluence::virial(int mx, int my, int mz, double energy) const noexcept {
  if (mx == 0 && my == 0 && mz == 0) return {};
  const double above = 2 * energy * width_, below = 2 * energy / mean_square(mx, my, mz);
  const Virial gauss = gaussian_mean(mx, my, mz);
  const Virial spline = products(axes_[0].spline[mx], axes_[1].spline[my], axes_[2].spline[mz]);
  Virial result;
  for (int c = 0; c < 6; ++c)
    result[c] = (c < 3 ? energy : 0) - above * gauss[c] - below * spline[c];
  return result;
}

Virial OptimalInfluence::row_virial(int my, int mz,
                                    std::span<const double> energies) const noexcept {
  const auto& [x, y, z] = axes_;
  const int count = static_cast<int>(energies.size());
  // Both parts are linear in the moments of the axis x, which may be summed first.
  double all = 0;
  Moments gauss, spline;
  Virial tilted{};
  for (int mx = my == 0 && mz == 0 ? 1 : 0; mx < count; ++mx) {
    const double e = energies[mx], share = e / mean_square(mx, my, mz);
    all += e;
    spline.zeroth += share;
    spline.first += share * x.spline[mx].first;
    spline.second += share * x.spline[mx].second;
    if (rectangular_) {
      gauss.zeroth += e;
      gauss.first += e * x.gauss[mx].first;
      gauss.second += e * x.gauss[mx].second;
    } else {
      const Virial mean = gaussian_mean(mx, my, mz);
      for (int c = 0; c < 6; ++c) tilted[c] += e * mean[c];
    }
  }
  const Moments gauss_y{1, y.gauss[my].first, y.gauss[my].second},
      gauss_z{1, z.gauss[mz].first, z.gauss[mz].second};
  const Virial above = rectangular_ ? products(gauss, gauss_y, gauss_z) : tilted;
  const Virial below = products(spline, y.spline[my], z.spline[mz]);
  Virial sum;
  for (int c = 0; c < 6; ++c) sum[c] = (c < 3 ? all : 0) - 2 * (width_ * above[c] + below[c]);
  return sum;
}

}  // namespace fg
