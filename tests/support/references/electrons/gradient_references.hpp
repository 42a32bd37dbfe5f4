// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of the gradients of densities. Each does what the engine's function of
// the same name does, point by point and wave by wave.
#pragma once

#include <array>
#include <complex>
#include <span>

#include "electrons/exchange_correlation/density_gradient.hpp"

namespace fg::electrons::reference {

void density_gradient(const PlaneWaves& waves, int axis,
                      std::span<const std::complex<double>> density,
                      std::span<std::complex<double>> gradient) noexcept;
void subtract_divergence(const PlaneWaves& waves,
                         const std::array<std::span<const std::complex<double>>, 3>& flow,
                         std::span<std::complex<double>> potential) noexcept;
void add_gradient_products(std::span<const double> by_sigma,
                           const std::array<std::span<const double>, 3>& gradient,
                           Virial& products) noexcept;

void spin_gradients_to_flows(const BySpinProducts& by_sigma,
                             const std::array<std::span<double>, 3>& up,
                             const std::array<std::span<double>, 3>& down) noexcept;
void add_spin_gradient_products(const BySpinProducts& by_sigma, const GradientAtPoints& up,
                                const GradientAtPoints& down, Virial& products) noexcept;

}  // namespace fg::electrons::reference
