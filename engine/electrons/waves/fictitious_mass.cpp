// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/fictitious_mass.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

std::vector<double> masses_of_waves(const FictitiousMass& mass, std::span<const double> squares) {
  if (!(mass.mass > 0) || !std::isfinite(mass.mass))
    throw InputError({.what = "the fictitious mass of orbitals is not above 0 and finite",
                      .value = shown(mass.mass),
                      .limit = "above 0 electron masses",
                      .hint = "300 to 800 electron masses are usual"});
  if (!(mass.cutoff > 0))
    throw InputError({.what = "the cutoff of the fictitious mass is not above 0",
                      .value = shown(mass.cutoff) + " hartree",
                      .limit = "above 0 hartree",
                      .hint = "1 to 2 hartree are usual"});
  std::vector<double> masses;
  masses.reserve(squares.size());
  for (const double square : squares) masses.push_back(mass.of(0.5 * square));
  return masses;
}

double fictitious_kinetic_energy(std::span<const double> masses, std::ptrdiff_t zero,
                                 std::span<const std::complex<double>> velocities) noexcept {
  const double all = sum_in_parts(
      masses.size(), [&](std::size_t i) { return masses[i] * std::norm(velocities[i]); });
  if (zero < 0) return 2 * all;
  const std::size_t z = static_cast<std::size_t>(zero);
  return 2 * all - masses[z] * std::norm(velocities[z]);
}

}  // namespace fg::electrons
