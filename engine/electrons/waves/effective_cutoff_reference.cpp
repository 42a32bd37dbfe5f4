// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "electrons/waves/effective_cutoff.hpp"

namespace fg::electrons::reference {

double effective_square(const EffectiveCutoff& cutoff, double square, int pairs) noexcept {
  const double step = square / (2 * pairs);
  const auto slope = [&](double s) {
    const double x = (s / 2 - cutoff.energy) / cutoff.width;
    return 1 + 2 * cutoff.height / (cutoff.width * std::sqrt(std::acos(-1.0))) * std::exp(-x * x);
  };
  double sum = slope(0) + slope(square);
  for (int i = 1; i < 2 * pairs; ++i) sum += (i % 2 == 1 ? 4 : 2) * slope(i * step);
  const double at_zero = 2 * cutoff.height * std::erfc(cutoff.energy / cutoff.width);
  return at_zero + sum * step / 3;
}

}  // namespace fg::electrons::reference
