// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/exchange_correlation/density_gradient.hpp"

namespace fg::electrons::reference {

using Complex = std::complex<double>;

void density_gradient(const PlaneWaves& waves, int axis, std::span<const Complex> density,
                      std::span<Complex> gradient) noexcept {
  for (std::size_t i = 0; i < waves.size(); ++i)
    gradient[i] = Complex(0, 1) * waves.wave(i)[axis] * density[i];
}

void subtract_divergence(const PlaneWaves& waves,
                         const std::array<std::span<const Complex>, 3>& flow,
                         std::span<Complex> potential) noexcept {
  for (std::size_t i = 0; i < waves.size(); ++i)
    for (int a = 0; a < 3; ++a)
      potential[i] -= Complex(0, 1) * waves.wave(i)[a] * flow[static_cast<std::size_t>(a)][i];
}

void add_gradient_products(std::span<const double> by_sigma,
                           const std::array<std::span<const double>, 3>& gradient,
                           Virial& products) noexcept {
  for (std::size_t i = 0; i < by_sigma.size(); ++i) {
    const Vec3 slope = {gradient[0][i], gradient[1][i], gradient[2][i]};
    add_virial(products, slope, slope * (2 * by_sigma[i]));
  }
}

}  // namespace fg::electrons::reference
