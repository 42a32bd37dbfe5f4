// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/local_potential.hpp"

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

namespace {

void check(const LocalPotential& local) {
  if (!(local.width > 0) || !std::isfinite(local.width))
    throw InputError({.what = "the width of an ion's smeared charge is not positive",
                      .value = shown(local.width) + " bohr",
                      .hint = "make the job again"});
  if (!std::isfinite(local.charge))
    throw InputError(
        {.what = "the charge of an ion is not finite", .hint = "correct its pseudopotential"});
  FG_CHECK(local.short_range.l() == 0);
}

}  // namespace

RadialWaves local_on_waves(const PlaneWaves& waves, const LocalPotential& local) {
  check(local);
  RadialWaves result = table_on_waves(waves, local.short_range);
  const double quarter = local.width * local.width / 4;
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const double square = waves.squares()[i];
    if (square == 0) {
      result.values[i] = result.slopes[i] = 0;
      continue;
    }
    const double tail = 4 * std::numbers::pi * local.charge * std::exp(-square * quarter) / square;
    result.values[i] -= tail;
    result.slopes[i] += 2 * tail * std::sqrt(square) * (1 / square + quarter);
  }
  return result;
}

RadialWaves table_on_waves(const PlaneWaves& waves, const RadialTable& table) {
  FG_CHECK(table.l() == 0);
  RadialWaves result{std::vector<double>(waves.size()), std::vector<double>(waves.size())};
  table.evaluate(waves.squares(), result.values, result.slopes);
  return result;
}

double alpha(const LocalPotential& local) {
  check(local);
  return local.short_range.at(0).value +
         std::numbers::pi * local.charge * local.width * local.width;
}

double integral(const PlaneWaves& waves, IonField::Waves a, IonField::Waves b) noexcept {
  const auto product = [&](std::size_t i) {
    return a[i].real() * b[i].real() + a[i].imag() * b[i].imag();
  };
  double sum = 2 * sum_in_parts(waves.size(), product);
  if (waves.zero() >= 0) sum -= product(static_cast<std::size_t>(waves.zero()));
  return waves.lattice().volume() * sum;
}

}  // namespace fg::electrons
