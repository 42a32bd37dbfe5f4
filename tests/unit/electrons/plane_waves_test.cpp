// SPDX-License-Identifier: BSD-3-Clause
//
// Sums over the half sphere: kinetic energy, Hartree energy and potential. Each against its twin, a
// case that is known, and finite differences.
#include "electrons/waves/plane_waves.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "electrons/coulomb/hartree.hpp"
#include "electrons/waves/effective_cutoff.hpp"
#include "electrons/waves/wave_virial.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/references/electrons/coulomb_references.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons {
namespace {

using Complex = std::complex<double>;
using Waves = std::vector<Complex>;
constexpr double pi = std::numbers::pi;
using test::cubic;
using test::random_waves;
using test::skewed;
using test::waves_up_to;

TEST(PlaneWaves, AreThoseOfTheSphere) {
  const PlaneWaves waves = waves_up_to(skewed, 4.0);
  EXPECT_EQ(waves.zero(), 0);
  for (std::size_t i = 0; i < waves.size(); ++i) {
    EXPECT_LE(waves.squares()[i], 16 * (1 + 1e-14));
    EXPECT_DOUBLE_EQ(dot(waves.wave(i), skewed.vectors[1]) / (2 * pi) + 100,
                     waves.indices()[i][1] + 100);
  }
  // Twice, but for one, is the number of points in the ball but for its surface.
  const double ball = 4 * pi / 3 * 64 * skewed.volume() / (8 * pi * pi * pi);
  EXPECT_NEAR((2.0 * waves.size() - 1) / ball, 1, 0.03);
}

TEST(PlaneWaves, OnlyOneRankHasTheWaveZero) {
  int zeros = 0;
  std::size_t size = 0;
  for (int rank = 0; rank < 3; ++rank) {
    const PlaneWaves share = waves_up_to(skewed, 4.0, 3, rank);
    zeros += share.zero() >= 0;
    size += share.size();
  }
  EXPECT_EQ(zeros, 1);
  EXPECT_EQ(size, waves_up_to(skewed, 4.0).size());
}

TEST(PlaneWaves, RefuseTheOtherHalf) {
  EXPECT_THROW(PlaneWaves(skewed, {{0, 0, 1}, {0, 0, -1}}), InternalError);
  EXPECT_THROW(PlaneWaves(skewed, {{0, -1, 1}}), InternalError);
  EXPECT_THROW(PlaneWaves(skewed, {{-1, 5, 1}}), InternalError);
  EXPECT_THROW(PlaneWaves(skewed, {{0, 0, 0}, {0, 0, 0}}), InternalError);
  EXPECT_NO_THROW(PlaneWaves(skewed, {{0, 0, 0}, {0, 1, -1}, {1, -5, -1}}));
}

TEST(KineticEnergy, OfOneWaveIsKnown) {
  // sqrt(2 / V) cos(G . r) has the norm 1 and the energy G^2 / 2.
  const PlaneWaves waves = waves_up_to(skewed, 2.0);
  Waves one(waves.size());
  one[17] = std::sqrt(0.5);
  EXPECT_DOUBLE_EQ(reference::kinetic_energy(waves.squares(), one), waves.squares()[17] / 2);
}

TEST(Hartree, IsThatOfTheTwin) {
  for (const double cutoff : {0.1, 1.1, 2.0, 4.0}) {
    const PlaneWaves waves = waves_up_to(skewed, cutoff);
    const Waves density = random_waves(waves, 3);
    Waves potential(waves.size()), right(waves.size());
    const double energy = hartree(waves, density, potential);
    const double right_energy = reference::hartree(waves, density, right);
    EXPECT_NEAR(energy, right_energy, 1e-14 * right_energy);
    for (std::size_t i = 0; i < waves.size(); ++i)
      EXPECT_LE(std::abs(potential[i] - right[i]), 4e-16 * std::abs(right[i]));
    EXPECT_EQ(potential[0], Complex());
  }
}

/// A Gaussian in a cube of edge L with |rho(G)|^2 = exp(-G^2 / 4 k^2) / V^2: the sum over waves of
/// Ewald's energy of a point charge, -2.837297479480619 / 2 L (Nijboer and Ruijgrok, J. Stat. Phys.
/// 53, 361 (1988)), and erfc(k L) is 2e-17 with k L = 6.
TEST(Hartree, OfAGaussianIsKnown) {
  constexpr double edge = 7, k = 6 / edge;
  const PlaneWaves waves = waves_up_to(cubic(edge), 12.5 * k);
  const double volume = edge * edge * edge;
  Waves density(waves.size()), potential(waves.size());
  for (std::size_t i = 0; i < waves.size(); ++i)
    density[i] = std::exp(-waves.squares()[i] / (8 * k * k)) / volume;
  const double point = -2.837297479480619 / (2 * edge);
  const double right = point + k / std::sqrt(pi) + pi / (2 * volume * k * k);
  EXPECT_NEAR(hartree(waves, density, potential), right, 1e-14);
}

TEST(Hartree, ThePotentialIsTheDerivativeOfTheEnergy) {
  const PlaneWaves waves = waves_up_to(skewed, 2.0, 3, 1);
  Waves density = random_waves(waves, 4), potential(waves.size()), other(waves.size());
  hartree(waves, density, potential);
  for (std::size_t i = 0; i < waves.size(); ++i)
    for (const Complex direction : {Complex(1, 0), Complex(0, 1)}) {
      const auto energy = [&](double step) {
        Waves moved = density;
        moved[i] += step * direction;
        return hartree(waves, moved, other);
      };
      const double slope = (energy(1) - energy(-1)) / 2;
      // Both parts of a complex number: twice the derivative by its conjugate, with the weight 2.
      const double right = 2 * skewed.volume() * (potential[i] * std::conj(direction)).real();
      EXPECT_NEAR(slope, right, 1e-13 * energy(0));
    }
}

/// With a step in the kinetic energy, in the middle of the waves.
TEST(KineticEnergy, ItsVirialIsTheSlopeByTheStrainWithAnEffectiveCutoff) {
  const PlaneWaves waves = waves_up_to(skewed, 2.0);
  const Waves block = random_waves(waves, 6);
  const EffectiveCutoff step{.energy = 1.2, .height = 3, .width = 0.4};
  Virial virial{}, right{};
  const std::vector<double> slopes = step.slopes(waves.squares());
  add_kinetic_virial(waves, block, 1, 1.7, virial, slopes);
  reference::add_kinetic_virial(waves, block, 1, 1.7, right, slopes);
  for (int k = 0; k < 6; ++k) {
    const double slope = test::sixth_order_slope(
        [&](double strain) {
          const PlaneWaves strained = test::strained(waves, k, strain);
          return 1.7 * reference::kinetic_energy(step.squares(strained.squares()), block);
        },
        0.0005);
    // A step of this width has a seventh derivative of up to 1e14 hartree: 0.0005^6 / 140 of it is
    // 1e-8, and roundings of 1e4 hartree over the step are 1e-8.
    EXPECT_NEAR(virial[k], -slope, 1e-6);
    EXPECT_NEAR(virial[k], right[k], 1e-9);
  }
}

/// Both against the twin, and by finite differences at constant c and constant V rho.
TEST(KineticEnergy, ItsVirialIsTheSlopeByTheStrain) {
  const PlaneWaves waves = waves_up_to(skewed, 2.0);
  const Waves block = random_waves(waves, 6);
  constexpr double occupation = 1.7;
  Virial virial{}, right{}, twice{};
  add_kinetic_virial(waves, block, 1, occupation, virial);
  reference::add_kinetic_virial(waves, block, 1, occupation, right);
  Waves both = block;
  both.insert(both.end(), block.begin(), block.end());
  add_kinetic_virial(waves, both, 2, occupation, twice);
  for (int k = 0; k < 6; ++k) {
    const double slope = test::sixth_order_slope(
        [&](double strain) {
          const PlaneWaves strained = test::strained(waves, k, strain);
          return occupation * reference::kinetic_energy(strained.squares(), block);
        },
        0.004);
    // The error 7! 0.004^6 / 140 is 1.5e-13 of 1000 hartree, and roundings over the step 1e-13.
    EXPECT_NEAR(virial[k], -slope, 1e-9);
    EXPECT_NEAR(virial[k], right[k], 1e-11);
    EXPECT_NEAR(twice[k], 2 * right[k], 1e-11);
  }
}

TEST(Hartree, ItsVirialIsTheSlopeByTheStrain) {
  const PlaneWaves waves = waves_up_to(skewed, 2.0);
  const Waves density = random_waves(waves, 7);
  Waves potential(waves.size());
  const double scale = hartree(waves, density, potential);
  Virial virial{}, right{};
  add_hartree_virial(waves, density, potential, virial);
  reference::add_hartree_virial(waves, density, right);
  for (int k = 0; k < 6; ++k) {
    const double slope = test::sixth_order_slope(
        [&](double strain) {
          const PlaneWaves strained = test::strained(waves, k, strain);
          Waves rho = density;
          for (Complex& c : rho) c *= skewed.volume() / strained.lattice().volume();
          return hartree(strained, rho, potential);
        },
        0.004);
    EXPECT_NEAR(virial[k], -slope, 1e-12 * scale);
    EXPECT_NEAR(virial[k], right[k], 1e-14 * scale);
  }
}

}  // namespace
}  // namespace fg::electrons
