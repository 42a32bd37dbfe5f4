// SPDX-License-Identifier: BSD-3-Clause
//
// What density_gradient.hpp has at points, for two spins. The energy is a sum of e(rho_s, sigma)
// with the products sigma of the gradients: up with up, up with down, down with down. The
// derivatives by the gradients, whose divergences are parts of the potentials, are
//   h_up = 2 e_uu grad up + e_ud grad down,   h_down = e_ud grad up + 2 e_dd grad down.
// Arrays are those of one share of the mesh; sums run in its order. Units: hartree, bohr. Source:
// Pople, Gill and Johnson, Chem. Phys. Lett. 199, 557 (1992).
#pragma once

#include <array>
#include <span>

#include "base/virial.hpp"

namespace fg::electrons {

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

}  // namespace fg::electrons
