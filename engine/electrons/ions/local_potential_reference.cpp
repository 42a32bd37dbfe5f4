// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <numbers>

#include "electrons/ions/local_potential.hpp"

namespace fg::electrons::reference {

RadialWaves local_on_waves(const PlaneWaves& waves, const LocalPotential& local) {
  RadialWaves result;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double g = norm(waves.wave(i)), w = local.width;
    const RadialValue table = local.short_range.at(g);
    const double tail = 4 * std::numbers::pi * local.charge * std::exp(-g * g * w * w / 4);
    const bool zero = g == 0;
    result.values.push_back(zero ? 0 : table.value - tail / (g * g));
    result.slopes.push_back(zero ? 0
                                 : table.slope + tail * w * w / (2 * g) + 2 * tail / (g * g * g));
  }
  return result;
}

double integral(const PlaneWaves& waves, IonField::Waves a, IonField::Waves b) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double weight = waves.squares()[i] == 0 ? 1 : 2;
    sum += weight * (std::conj(a[i]) * b[i]).real();
  }
  return waves.lattice().volume() * sum;
}

}  // namespace fg::electrons::reference
