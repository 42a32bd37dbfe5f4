// SPDX-License-Identifier: BSD-3-Clause
//
// Gradients and divergences of densities: against twins; and the whole exchange-correlation energy
// on a small mesh, whose potential and virial are its derivatives by finite differences.
#include "electrons/exchange_correlation/density_gradient.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "electrons/exchange_correlation/functional.hpp"
#include "electrons/ions/local_potential.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/gradient_references.hpp"

namespace fg::electrons {
namespace {

using Complex = std::complex<double>;
using Waves = std::vector<Complex>;
using Points = std::vector<double>;

TEST(DensityGradient, IsThatOfTheTwin) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3);
  const Waves density = test::random_waves(waves, 1);
  for (int axis = 0; axis < 3; ++axis) {
    Waves found = density, right(waves.size());
    density_gradient(waves, axis, found, found);
    reference::density_gradient(waves, axis, density, right);
    for (std::size_t i = 0; i < found.size(); ++i) EXPECT_EQ(found[i], right[i]);
  }
}

TEST(DensityGradient, TheDivergenceOfAGradientIsTheLaplacian) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 3);
  const Waves density = test::random_waves(waves, 2), start = test::random_waves(waves, 3);
  std::array<Waves, 3> slopes;
  for (int axis = 0; axis < 3; ++axis) {
    slopes[axis].resize(waves.size());
    density_gradient(waves, axis, density, slopes[axis]);
  }
  Waves found = start, right = start;
  subtract_divergence(waves, {slopes[0], slopes[1], slopes[2]}, found);
  reference::subtract_divergence(waves, {slopes[0], slopes[1], slopes[2]}, right);
  for (std::size_t i = 0; i < found.size(); ++i) {
    EXPECT_LE(std::abs(found[i] - right[i]), 1e-13);
    EXPECT_LE(std::abs(found[i] - start[i] - waves.squares()[i] * density[i]), 1e-13);
  }
}

TEST(DensityGradient, SumsOverPointsAreThoseOfTheTwin) {
  for (const std::size_t count : {0, 1, 7, 1000}) {
    const Points x = test::random_values<double>(count, 1),
                 y = test::random_values<double>(count, 2),
                 z = test::random_values<double>(count, 3),
                 by_sigma = test::random_values<double>(count, 4);
    Virial found{1, 2, 3, 4, 5, 6}, right = found;
    add_gradient_products(by_sigma, {x, y, z}, found);
    reference::add_gradient_products(by_sigma, {x, y, z}, right);
    // 1000 products of up to 54, in another order.
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found[k], right[k], 1e-10);
    Points sigma(count), hx = x, hy = y, hz = z;
    squared_gradient({x, y, z}, sigma);
    gradient_to_flow(by_sigma, {hx, hy, hz});
    for (std::size_t i = 0; i < count; ++i) {
      EXPECT_DOUBLE_EQ(sigma[i], x[i] * x[i] + y[i] * y[i] + z[i] * z[i]);
      EXPECT_EQ(hy[i], y[i] * (2 * by_sigma[i]));
    }
  }
}

/// The energy of a density of waves on a mesh of 9 x 9 x 9 points, by plain sums.
class SmallMesh {
 public:
  static constexpr int edge = 9;
  static constexpr std::size_t points = edge * edge * edge;

  explicit SmallMesh(const PlaneWaves& waves) : waves_(waves) {}

  Points on_points(const Waves& field) const {
    Points values(points);
    for (std::size_t i = 0; i < waves_.size(); ++i) {
      const double weight = waves_.squares()[i] == 0 ? 1 : 2;
      for (std::size_t p = 0; p < points; ++p) values[p] += weight * (field[i] * turn(i, p)).real();
    }
    return values;
  }
  Waves on_waves(const Points& values) const {
    Waves field(waves_.size());
    for (std::size_t i = 0; i < waves_.size(); ++i)
      for (std::size_t p = 0; p < points; ++p)
        field[i] += values[p] * std::conj(turn(i, p)) / static_cast<double>(points);
    return field;
  }

 private:
  Complex turn(std::size_t wave, std::size_t point) const {
    const auto [x, y, z] = waves_.indices()[wave];
    const int p = static_cast<int>(point);
    const int whole = x * (p / (edge * edge)) + y * (p / edge % edge) + z * (p % edge);
    return std::polar(1.0, 2 * std::numbers::pi * (whole % edge) / edge);
  }
  const PlaneWaves& waves_;
};

struct Evaluated {
  double energy;
  Waves potential;
  Virial virial;
};

Evaluated evaluate(const PlaneWaves& waves, const Waves& density) {
  const SmallMesh mesh(waves);
  const auto functional = make_functional("PBE");
  const Points rho = mesh.on_points(density);
  std::array<Points, 3> slopes;
  Waves component(waves.size());
  for (int axis = 0; axis < 3; ++axis) {
    density_gradient(waves, axis, density, component);
    slopes[axis] = mesh.on_points(component);
  }
  Points sigma(rho.size()), energy(rho.size()), by_density(rho.size()), by_sigma(rho.size());
  squared_gradient({slopes[0], slopes[1], slopes[2]}, sigma);
  functional->evaluate({rho, sigma}, {energy, by_density, by_sigma});
  XcSums sums;
  sums.element = waves.lattice().volume() / static_cast<double>(rho.size());
  for (const double e : energy) sums.energy += sums.element * e;
  add_gradient_products(by_sigma, {slopes[0], slopes[1], slopes[2]}, sums.products);
  gradient_to_flow(by_sigma, {slopes[0], slopes[1], slopes[2]});
  Evaluated result{sums.energy, mesh.on_waves(by_density), {}};
  std::array<Waves, 3> flow;
  for (int axis = 0; axis < 3; ++axis) flow[axis] = mesh.on_waves(slopes[axis]);
  subtract_divergence(waves, {flow[0], flow[1], flow[2]}, result.potential);
  sums.potential = integral(waves, result.potential, density);
  result.virial = xc_virial(sums);
  return result;
}

/// Positive everywhere.
Waves sample(const PlaneWaves& waves) {
  Waves density = test::random_waves(waves, 7);
  for (Complex& c : density) c *= 0.001;
  density[0] = 0.1;
  return density;
}

TEST(DensityGradient, ThePotentialIsTheDerivativeOfTheEnergyOnAMesh) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1.9);
  const Waves density = sample(waves);
  for (const double rho : SmallMesh(waves).on_points(density)) ASSERT_GT(rho, 0.01);
  const Evaluated here = evaluate(waves, density);
  for (std::size_t i = 0; i < waves.size(); i += 9)
    for (const Complex direction : {Complex(1, 0), Complex(0, 1)}) {
      if (i == 0 && direction.imag() != 0) continue;  // real at G = 0
      const auto energy = [&](double step) {
        Waves moved = density;
        moved[i] += step * direction;
        return evaluate(waves, moved).energy;
      };
      const double right = waves.lattice().volume() * (i == 0 ? 1 : 2) *
                           (here.potential[i] * std::conj(direction)).real();
      // A change of 1e-3 of densities from 0.06 on: an error of (0.02)^6 of the slope; roundings of
      // 70 hartree over the step.
      EXPECT_NEAR(test::sixth_order_slope(energy, 3e-4), right, 1e-9 * std::abs(right) + 3e-10);
    }
}

TEST(DensityGradient, TheVirialIsTheSlopeByTheStrain) {
  const PlaneWaves waves = test::waves_up_to(test::skewed, 1.9);
  const Waves density = sample(waves);
  const Virial virial = evaluate(waves, density).virial;
  for (int component = 0; component < 6; ++component) {
    const auto energy = [&](double strain) {
      const PlaneWaves strained = test::strained(waves, component, strain);
      Waves rho = density;
      for (Complex& c : rho) c *= waves.lattice().volume() / strained.lattice().volume();
      return evaluate(strained, rho).energy;
    };
    // Roundings of 70 hartree over the step.
    EXPECT_NEAR(virial[component], -test::sixth_order_slope(energy, 2e-3), 1e-10);
  }
}

}  // namespace
}  // namespace fg::electrons
