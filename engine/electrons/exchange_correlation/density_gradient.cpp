// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/exchange_correlation/density_gradient.hpp"

#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

using Complex = std::complex<double>;

void density_gradient(const PlaneWaves& waves, int axis, std::span<const Complex> density,
                      std::span<Complex> gradient) noexcept {
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double g = waves.wave(i)[axis];
    gradient[i] = {-g * density[i].imag(), g * density[i].real()};
  }
}

void subtract_divergence(const PlaneWaves& waves,
                         const std::array<std::span<const Complex>, 3>& flow,
                         std::span<Complex> potential) noexcept {
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const Vec3 g = waves.wave(i);
    const Complex along = g.x * flow[0][i] + g.y * flow[1][i] + g.z * flow[2][i];
    potential[i] += Complex(along.imag(), -along.real());
  }
}

void squared_gradient(const std::array<std::span<const double>, 3>& gradient,
                      std::span<double> sigma) noexcept {
  const double *x = gradient[0].data(), *y = gradient[1].data(), *z = gradient[2].data();
  for (std::size_t i = 0; i < sigma.size(); ++i) sigma[i] = x[i] * x[i] + y[i] * y[i] + z[i] * z[i];
}

void gradient_to_flow(std::span<const double> by_sigma,
                      const std::array<std::span<double>, 3>& gradient) noexcept {
  for (const std::span<double>& component : gradient)
    for (std::size_t i = 0; i < by_sigma.size(); ++i) component[i] *= 2 * by_sigma[i];
}

void add_gradient_products(std::span<const double> by_sigma,
                           const std::array<std::span<const double>, 3>& gradient,
                           Virial& products) noexcept {
  constexpr std::size_t axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  for (std::size_t k = 0; k < 6; ++k) {
    const double* a = gradient[axes[k][0]].data();
    const double* b = gradient[axes[k][1]].data();
    products[k] +=
        2 * sum_in_parts(by_sigma.size(), [&](std::size_t i) { return by_sigma[i] * a[i] * b[i]; });
  }
}

namespace {

void scalar_product(const GradientAtPoints& a, const GradientAtPoints& b,
                    std::span<double> product) noexcept {
  for (std::size_t i = 0; i < product.size(); ++i)
    product[i] = a[0][i] * b[0][i] + a[1][i] * b[1][i] + a[2][i] * b[2][i];
}

}  // namespace

void spin_products(const GradientAtPoints& up, const GradientAtPoints& down,
                   const std::array<std::span<double>, 3>& sigma) noexcept {
  scalar_product(up, up, sigma[0]);
  scalar_product(up, down, sigma[1]);
  scalar_product(down, down, sigma[2]);
}

void spin_gradients_to_flows(const BySpinProducts& by_sigma,
                             const std::array<std::span<double>, 3>& up,
                             const std::array<std::span<double>, 3>& down) noexcept {
  const auto& [uu, ud, dd] = by_sigma;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    double *const u = up[axis].data(), *const d = down[axis].data();
    for (std::size_t i = 0; i < uu.size(); ++i) {
      const double of_up = u[i], of_down = d[i];
      u[i] = 2 * uu[i] * of_up + ud[i] * of_down;
      d[i] = ud[i] * of_up + 2 * dd[i] * of_down;
    }
  }
}

void add_spin_gradient_products(const BySpinProducts& by_sigma, const GradientAtPoints& up,
                                const GradientAtPoints& down, Virial& products) noexcept {
  constexpr std::size_t axes[6][2] = {{0, 0}, {1, 1}, {2, 2}, {0, 1}, {0, 2}, {1, 2}};
  const auto& [uu, ud, dd] = by_sigma;
  for (std::size_t k = 0; k < 6; ++k) {
    const auto [a, b] = axes[k];
    const double *const ua = up[a].data(), *const ub = up[b].data();
    const double *const da = down[a].data(), *const db = down[b].data();
    const double *const e_uu = uu.data(), *const e_ud = ud.data(), *const e_dd = dd.data();
    products[k] += sum_in_parts(uu.size(), [&](std::size_t i) {
      return 2 * e_uu[i] * ua[i] * ub[i] + e_ud[i] * (ua[i] * db[i] + da[i] * ub[i]) +
             2 * e_dd[i] * da[i] * db[i];
    });
  }
}

Virial xc_virial(const XcSums& sums) noexcept {
  Virial virial;
  for (std::size_t k = 0; k < 6; ++k)
    virial[k] = sums.element * sums.products[k] + (k < 3 ? sums.potential - sums.energy : 0);
  return virial;
}

}  // namespace fg::electrons
