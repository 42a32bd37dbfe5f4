// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/wave_virial.hpp"

#include "base/error.hpp"

namespace fg::electrons {

void add_kinetic_virial(const PlaneWaves& waves, std::span<const std::complex<double>> block,
                        std::size_t orbitals, double occupation, Virial& virial,
                        std::span<const double> slopes) {
  const std::size_t size = waves.size();
  FG_CHECK(block.size() == orbitals * size && (slopes.empty() || slopes.size() == size));
  std::vector<double> each(size);
  for (std::size_t s = 0; s < orbitals; ++s)
    for (std::size_t i = 0; i < size; ++i) each[i] += std::norm(block[s * size + i]);
  for (std::size_t i = 0; i < size; ++i) each[i] *= 2 * occupation;
  for (std::size_t i = 0; i < slopes.size(); ++i) each[i] *= slopes[i];
  add_squares_of_waves(waves, each, virial);
}

}  // namespace fg::electrons
