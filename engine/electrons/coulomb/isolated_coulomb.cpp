// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/coulomb/isolated_coulomb.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/parts_of_sum.hpp"

namespace fg::electrons {

namespace {

constexpr double pi = std::numbers::pi;

/// exp(-16) = 1e-7; the exponent is |G| L / 4, with the shortest vector L of the lattice.
constexpr double least_exponent = 16;

}  // namespace

IsolatedCoulomb::IsolatedCoulomb(const Lattice& lattice, double longest_wave)
    : nearest_(lattice),
      volume_(lattice.volume()),
      splitting_(std::sqrt(longest_wave / nearest_.shortest())) {
  const double exponent = longest_wave * nearest_.shortest() / 4;
  if (!(exponent >= least_exponent))
    throw InputError({.what = "the cell is too small for a molecule without images at this cut-off",
                      .where = "cell",
                      .value = "shortest vector " + shown(nearest_.shortest()) + " bohr",
                      .limit = "at least " + shown(4 * least_exponent / longest_wave) + " bohr",
                      .hint = "make the cell larger, or the cut-off higher"});
}

void IsolatedCoulomb::write_long_range(const std::array<int, 3>& grid, const fft::GridBox& box,
                                       std::span<double> values) const {
  FG_CHECK(values.size() == box.volume());
  const Lattice& cell = nearest_.lattice();
  std::size_t i = 0;
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z) {
        const Vec3 point{1.0 * x / grid[0], 1.0 * y / grid[1], 1.0 * z / grid[2]};
        const double r = norm(nearest_(cell.position(point)));
        values[i++] =
            r == 0 ? 2 * splitting_ * std::numbers::inv_sqrtpi : std::erf(splitting_ * r) / r;
      }
}

double IsolatedCoulomb::screening(double square, double long_range) const noexcept {
  const double damping = 1 / (4 * splitting_ * splitting_);
  const double far = volume_ * long_range;
  if (square == 0) return far + 4 * pi * damping;
  return far - 4 * pi / square * std::exp(-square * damping);
}

void IsolatedCoulomb::write_screening(const PlaneWaves& waves, Waves long_range,
                                      std::span<double> screening) const {
  FG_CHECK(long_range.size() == waves.size() && screening.size() == waves.size());
  for (std::size_t i = 0; i < waves.size(); ++i)
    screening[i] = this->screening(waves.squares()[i], long_range[i].real());
}

double screen_hartree(const PlaneWaves& waves, std::span<const double> screening,
                      IsolatedCoulomb::Waves density,
                      std::span<std::complex<double>> potential) noexcept {
  const auto product = [&](std::size_t i) { return screening[i] * std::norm(density[i]); };
  for (std::size_t i = 0; i < waves.size(); ++i) potential[i] += screening[i] * density[i];
  // The factor 1/2 and the weight 2 cancel, but at G = 0.
  double sum = sum_in_parts(waves.size(), product);
  if (waves.zero() >= 0) sum -= product(static_cast<std::size_t>(waves.zero())) / 2;
  return waves.lattice().volume() * sum;
}

void screen_local(double charge, std::span<const double> screening, RadialWaves& local) {
  FG_CHECK(local.values.size() == screening.size());
  for (std::size_t i = 0; i < screening.size(); ++i) local.values[i] -= charge * screening[i];
  std::fill(local.slopes.begin(), local.slopes.end(), 0.0);
}

}  // namespace fg::electrons
