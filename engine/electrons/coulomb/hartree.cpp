// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/coulomb/hartree.hpp"

#include <numbers>
#include <vector>

#include "base/error.hpp"
#include "electrons/waves/parts_of_sum.hpp"
#include "electrons/waves/wave_virial.hpp"

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

void add_hartree_virial(const PlaneWaves& waves, std::span<const std::complex<double>> density,
                        std::span<const std::complex<double>> potential, Virial& virial) {
  const std::size_t size = waves.size();
  FG_CHECK(density.size() == size && potential.size() == size);
  const double volume = waves.lattice().volume();
  std::vector<double> each(size);
  for (std::size_t i = 0; i < size; ++i)
    each[i] = volume *
              (potential[i].real() * density[i].real() + potential[i].imag() * density[i].imag());
  const double energy = sum_in_parts(size, [&](std::size_t i) { return each[i]; });
  for (std::size_t k = 0; k < 3; ++k) virial[k] += energy;
  for (std::size_t i = 0; i < size; ++i)
    each[i] =
        static_cast<std::ptrdiff_t>(i) == waves.zero() ? 0 : -2 * each[i] / waves.squares()[i];
  add_squares_of_waves(waves, each, virial);
}

}  // namespace fg::electrons
