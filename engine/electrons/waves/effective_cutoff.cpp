// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/effective_cutoff.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace fg::electrons {

double EffectiveCutoff::square(double square) const noexcept {
  return square + 2 * height * (1 + std::erf((square / 2 - energy) / width));
}

double EffectiveCutoff::slope(double square) const noexcept {
  const double x = (square / 2 - energy) / width;
  return 1 + 2 * height / width * std::numbers::inv_sqrtpi * std::exp(-x * x);
}

std::vector<double> EffectiveCutoff::squares(std::span<const double> squares) const {
  std::vector<double> all(squares.size());
  std::transform(squares.begin(), squares.end(), all.begin(),
                 [this](double one) { return square(one); });
  return all;
}

std::vector<double> EffectiveCutoff::slopes(std::span<const double> squares) const {
  std::vector<double> all(squares.size());
  std::transform(squares.begin(), squares.end(), all.begin(),
                 [this](double one) { return slope(one); });
  return all;
}

}  // namespace fg::electrons
