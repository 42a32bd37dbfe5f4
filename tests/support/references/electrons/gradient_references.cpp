// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/gradient_references.hpp"

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

namespace {

template <class Gradient>
Vec3 vector_at(const Gradient& gradient, std::size_t i) {
  return {gradient[0][i], gradient[1][i], gradient[2][i]};
}

struct Flows {
  Vec3 up, down;
};

Flows flows_at(const BySpinProducts& by_sigma, std::size_t i, const Vec3& up, const Vec3& down) {
  return {up * (2 * by_sigma[0][i]) + down * by_sigma[1][i],
          up * by_sigma[1][i] + down * (2 * by_sigma[2][i])};
}

}  // namespace

void spin_gradients_to_flows(const BySpinProducts& by_sigma,
                             const std::array<std::span<double>, 3>& up,
                             const std::array<std::span<double>, 3>& down) noexcept {
  for (std::size_t i = 0; i < by_sigma[0].size(); ++i) {
    const Flows h = flows_at(by_sigma, i, vector_at(up, i), vector_at(down, i));
    for (int axis = 0; axis < 3; ++axis) {
      up[static_cast<std::size_t>(axis)][i] = h.up[axis];
      down[static_cast<std::size_t>(axis)][i] = h.down[axis];
    }
  }
}

void add_spin_gradient_products(const BySpinProducts& by_sigma, const GradientAtPoints& up,
                                const GradientAtPoints& down, Virial& products) noexcept {
  for (std::size_t i = 0; i < by_sigma[0].size(); ++i) {
    const Vec3 of_up = vector_at(up, i), of_down = vector_at(down, i);
    const Flows h = flows_at(by_sigma, i, of_up, of_down);
    add_virial(products, of_up, h.up);
    add_virial(products, of_down, h.down);
  }
}

}  // namespace fg::electrons::reference
