// SPDX-License-Identifier: BSD-3-Clause
//
// Points for tests of functionals: densities from 1e-14 to 1e3, with no gradient, with gradients
// that molecules have, and with any; and arrays for what a functional makes of them.
// Units: bohr, hartree.
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <random>
#include <vector>

#include "electrons/exchange_correlation/kernels.hpp"

namespace fg::test {

using Values = std::vector<double>;

/// Without spin: points and room for the results.
struct XcArrays {
  Values density, sigma, energy, by_density, by_sigma;

  std::size_t size() const { return density.size(); }
  void make_room() {
    for (Values* results : {&energy, &by_density, &by_sigma}) results->assign(size(), -7);
  }
  electrons::PointArrays arrays() {
    return {size(),        density.data(),    sigma.data(),
            energy.data(), by_density.data(), by_sigma.data()};
  }
};

/// With spin.
struct XcSpinArrays {
  std::array<Values, 2> density;
  std::array<Values, 3> sigma;
  Values energy;
  std::array<Values, 2> by_density;
  std::array<Values, 3> by_sigma;

  std::size_t size() const { return density[0].size(); }
  void make_room() {
    energy.assign(size(), -7);
    for (Values& results : by_density) results.assign(size(), -7);
    for (Values& results : by_sigma) results.assign(size(), -7);
  }
  electrons::SpinPointArrays arrays() {
    return {.count = size(),
            .density = {density[0].data(), density[1].data()},
            .sigma = {sigma[0].data(), sigma[1].data(), sigma[2].data()},
            .energy = energy.data(),
            .by_density = {by_density[0].data(), by_density[1].data()},
            .by_sigma = {by_sigma[0].data(), by_sigma[1].data(), by_sigma[2].data()}};
  }
};

class XcSampler {
 public:
  explicit XcSampler(unsigned seed) : random_(seed) {}

  double density() { return power_of_ten(-14, 3); }

  /// |grad rho| of a density: a sixth have none, half of them reduced gradients s of 1e-3 to 30,
  /// and the others a sigma of 1e-20 to 1e6.
  double gradient(double density) {
    const int kind = static_cast<int>(random_() % 6);
    if (kind == 0) return 0;
    constexpr double two_fermi = 6.18733545256027;  // 2 (3 pi^2)^(1/3)
    if (kind < 4) return power_of_ten(-3, 1.5) * two_fermi * std::pow(density, 4.0 / 3);
    return power_of_ten(-10, 3);
  }

  XcArrays points(std::size_t count) {
    XcArrays a;
    for (std::size_t i = 0; i < count; ++i) {
      a.density.push_back(density());
      const double g = gradient(a.density.back());
      a.sigma.push_back(g * g);
    }
    a.make_room();
    return a;
  }

  /// The smaller spin has between 10^smallest and half of the density; an eighth of the points each
  /// have equal spins, no second spin, or no gradient of the second spin.
  XcSpinArrays spin_points(std::size_t count, double smallest = -9) {
    XcSpinArrays a;
    for (std::size_t i = 0; i < count; ++i) {
      const auto kind = random_() % 8;
      const double rho = density();
      double share = kind == 0 ? 0.5 : kind == 1 ? 0 : 0.5 * power_of_ten(smallest, 0);
      if (random_() % 2) share = 1 - share;
      const double up = rho * share, down = rho * (1 - share);
      const double g = up > 0 ? gradient(up) : 0;
      const double h = down > 0 && kind != 2 ? gradient(down) : 0;
      const double cosine = 2 * unit_(random_) - 1;
      a.density[0].push_back(up), a.density[1].push_back(down);
      a.sigma[0].push_back(g * g), a.sigma[1].push_back(g * h * cosine),
          a.sigma[2].push_back(h * h);
    }
    a.make_room();
    return a;
  }

 private:
  double power_of_ten(double low, double high) {
    return std::pow(10.0, low + (high - low) * unit_(random_));
  }

  std::mt19937_64 random_;
  std::uniform_real_distribution<double> unit_{0, 1};
};

/// All sums of an exchange and a correlation.
inline std::vector<electrons::FunctionalParts> all_parts() {
  using electrons::Correlation;
  using electrons::Exchange;
  std::vector<electrons::FunctionalParts> all;
  for (Exchange x :
       {Exchange::none, Exchange::slater, Exchange::pbe, Exchange::rev_pbe, Exchange::becke88})
    for (Correlation c : {Correlation::none, Correlation::pz81, Correlation::pw92, Correlation::pbe,
                          Correlation::lyp})
      all.push_back({x, c});
  return all;
}

}  // namespace fg::test
