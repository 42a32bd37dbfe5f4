// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/hartree.hpp"

#include <numbers>

#include "electrons/parts_of_sum.hpp"

namespace fg::electrons {

double hartree(const PlaneWaves& waves, std::span<const std::complex<double>> density,
               std::span<std::complex<double>> potential) noexcept {
  constexpr double four_pi = 4 * std::numbers::pi;
  const std::span<const double> squares = waves.squares();
  for (std::size_t i = 0; i < squares.size(); ++i) potential[i] = four_pi / squares[i] * density[i];
  if (waves.zero() >= 0) potential[static_cast<std::size_t>(waves.zero())] = 0;
  // The factor 1/2 and the weight 2 cancel.
  return waves.lattice().volume() * sum_in_parts(squares.size(), [&](std::size_t i) {
           return potential[i].real() * density[i].real() + potential[i].imag() * density[i].imag();
         });
}

}  // namespace fg::electrons
