// SPDX-License-Identifier: BSD-3-Clause
//
// What a functional of the density's gradient needs besides its values at points. The energy is the
// sum V/N sum_r e(rho, sigma) over N points, with sigma = |grad rho|^2. The gradient is that of a
// density given by its waves. So the potential is exactly
//   v(G) = [de/drho](G) - sum_a i G_a h_a(G),   h = 2 de/dsigma grad rho at the points.
// With spin the energy is a sum of e(rho_s, sigma). Here sigma are the products of the gradients:
// up with up, up with down, down with down. The potential of each spin has its own h,
//   h_up = 2 e_uu grad up + e_ud grad down,   h_down = e_ud grad up + 2 e_dd grad down.
// Waves are those of one share, points those of one share of the mesh. Sums over points run in
// their order. Units: hartree, bohr. Source: White and Bird, Phys. Rev. B 50, 4954 (1994); the
// strain: Dal Corso and Resta, Phys. Rev. B 50, 4327 (1994); with spin: Pople, Gill and Johnson,
// Chem. Phys. Lett. 199, 557 (1992).
#pragma once

#include <array>
#include <complex>
#include <span>

#include "base/virial.hpp"
#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

/// One component, i G_a rho(G), of the gradient; arrays [waves], which may be the same.
void density_gradient(const PlaneWaves& waves, int axis,
                      std::span<const std::complex<double>> density,
                      std::span<std::complex<double>> gradient) noexcept;

/// Subtracts sum_a i G_a h_a(G) from `potential` [waves].
void subtract_divergence(const PlaneWaves& waves,
                         const std::array<std::span<const std::complex<double>>, 3>& flow,
                         std::span<std::complex<double>> potential) noexcept;

/// sigma = |grad rho|^2 at points.
void squared_gradient(const std::array<std::span<const double>, 3>& gradient,
                      std::span<double> sigma) noexcept;

/// Turns the gradient at points into h.
void gradient_to_flow(std::span<const double> by_sigma,
                      const std::array<std::span<double>, 3>& gradient) noexcept;

/// Adds sum_r 2 de/dsigma d_a rho d_b rho over these points, in the order of a virial. It takes the
/// gradient, not h.
void add_gradient_products(std::span<const double> by_sigma,
                           const std::array<std::span<const double>, 3>& gradient,
                           Virial& products) noexcept;

/// The components at points.
using GradientAtPoints = std::array<std::span<const double>, 3>;
/// Derivatives by the three products.
using BySpinProducts = std::array<std::span<const double>, 3>;

/// Writes the three products.
void spin_products(const GradientAtPoints& up, const GradientAtPoints& down,
                   const std::array<std::span<double>, 3>& sigma) noexcept;

/// Turns both gradients into h.
void spin_gradients_to_flows(const BySpinProducts& by_sigma,
                             const std::array<std::span<double>, 3>& up,
                             const std::array<std::span<double>, 3>& down) noexcept;

/// Adds the sum of h_a d_b rho over both spins and these points, in the order of a virial. It takes
/// the gradients, not h.
void add_spin_gradient_products(const BySpinProducts& by_sigma, const GradientAtPoints& up,
                                const GradientAtPoints& down, Virial& products) noexcept;

/// Whole sums over all points and waves.
struct XcSums {
  double energy = 0;     // [hartree]
  double potential = 0;  // V sum_G v(G)* rho(G), with the model cores in rho [hartree]
  double element = 0;    // V/N: the volume of a point
  Virial products{};     // of add_gradient_products
};

/// Minus the derivative of the energy by the strain, with V rho(G) held constant [hartree]. The
/// change of model cores is that of their IonField with the potential.
Virial xc_virial(const XcSums& sums) noexcept;

}  // namespace fg::electrons
