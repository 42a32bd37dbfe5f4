// SPDX-License-Identifier: BSD-3-Clause
//
// A preconditioner for the residuals of orbitals: fast waves, for which H is nearly the kinetic
// energy, are divided by it, and slow ones are left as they are. With the kinetic energy T of the
// orbital and x = G^2 / 2 / (3/2 T) the factor is
//   K(x) = (27 + 18 x + 12 x^2 + 8 x^3) / (27 + 18 x + 12 x^2 + 8 x^3 + 16 x^4).
// Units: hartree, bohr.
// Source: Teter, Payne and Allan, Phys. Rev. B 40, 12255 (1989), eq. 5.16.
#pragma once

#include <complex>
#include <span>

namespace fg::electrons {

/// Multiplies `block` [orbitals][waves] by K. `squares` |G|^2 [waves]; `kinetic` [orbitals] is the
/// energy for norm 1 and occupation 1, over all shares. Throws NumericsError if one is not positive
/// and finite.
void precondition(std::span<const double> squares, std::span<const double> kinetic,
                  std::span<std::complex<double>> block);

namespace reference {

/// K for one wave.
double preconditioner(double square, double kinetic) noexcept;

}  // namespace reference
}  // namespace fg::electrons
