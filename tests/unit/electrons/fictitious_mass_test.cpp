// SPDX-License-Identifier: BSD-3-Clause
//
// Fictitious masses by wave, and the kinetic energy of coefficients: against the twin on ragged
// sizes, and as the energy that makes orbitals swing as the convention says.
#include "electrons/waves/fictitious_mass.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "support/expect_refused.hpp"
#include "support/random_values.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons {
namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(FictitiousMass, IsConstantBelowTheCutoffAndGrowsWithTheKineticEnergyAbove) {
  const FictitiousMass mass{.mass = 400, .cutoff = 1.25};
  EXPECT_EQ(mass.of(0), 400);
  EXPECT_EQ(mass.of(1.25), 400);
  EXPECT_DOUBLE_EQ(mass.of(2.5), 800);
  EXPECT_DOUBLE_EQ(mass.of(35), 400 * 28);
  // |G|^2 is twice the kinetic energy of a wave.
  EXPECT_EQ(masses_of_waves(mass, std::vector{0.0, 2.5, 5.0}), (std::vector{400.0, 400.0, 800.0}));
  EXPECT_EQ(masses_of_waves({.mass = 300, .cutoff = infinite}, std::vector{0.0, 1e4}),
            (std::vector{300.0, 300.0}));
}

TEST(FictitiousKineticEnergy, IsThatOfTheWholeSphere) {
  for (const std::size_t waves : {0, 1, 2, 7, 8, 9, 31, 64, 1001})
    for (const std::ptrdiff_t zero :
         {std::ptrdiff_t{-1}, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(waves) - 1}) {
      if (waves == 0 && zero == 0) continue;
      const auto numbers = test::random_values<double>(2 * waves, 3);
      std::vector<std::complex<double>> velocities(waves);
      std::vector<double> masses = test::random_values<double>(waves, 4);
      for (std::size_t i = 0; i < waves; ++i) {
        velocities[i] = {numbers[2 * i], numbers[2 * i + 1]};
        masses[i] = std::abs(masses[i]);
      }
      const double expected = reference::fictitious_kinetic_energy(masses, zero, velocities);
      // The sums differ by rounding only.
      EXPECT_NEAR(fictitious_kinetic_energy(masses, zero, velocities), expected, 1e-13 * expected);
    }
}

/// One orbital of two waves, G = 0 and G, with the energies f e_0 and f e_1 and no coupling, held
/// at norm 1: c_0 = cos(a), w |c_1|^2 = sin(a)^2. Then E = f (e_0 + (e_1 - e_0) sin(a)^2), and for
/// small a the swing has omega^2 = f (e_1 - e_0) / m: K at the lowest point must be E - E_0 at the
/// highest.
TEST(FictitiousKineticEnergy, SwingsWithTheFrequencyOfTheConvention) {
  constexpr double occupation = 2, gap = 0.4, mass = 500, highest = 1e-3;
  const double omega = std::sqrt(occupation * gap / mass);
  // At the lowest point a' = highest omega; c_1 = sin(a) / sqrt(2), since w = 2, and c_0' = 0.
  const std::vector<std::complex<double>> velocities{0, highest * omega / std::sqrt(2.0)};
  const std::vector<double> masses(2, mass);
  const double potential = occupation * gap * std::pow(std::sin(highest), 2);
  // sin(a)^2 = a^2 (1 - a^2 / 3).
  EXPECT_NEAR(fictitious_kinetic_energy(masses, 0, velocities) / potential, 1, highest * highest);
}

TEST(FictitiousMass, RefusesWhatIsNoMass) {
  const auto refuse = [](double mass, double cutoff, const char* because) {
    test::expect_refused<InputError>(
        [&] { static_cast<void>(masses_of_waves({.mass = mass, .cutoff = cutoff}, {})); }, because);
  };
  refuse(0, 1, "fictitious mass");
  refuse(-1, 1, "fictitious mass");
  refuse(infinite, 1, "fictitious mass");
  refuse(std::nan(""), 1, "fictitious mass");
  refuse(400, 0, "cutoff of the fictitious mass");
  refuse(400, std::nan(""), "cutoff of the fictitious mass");
}

}  // namespace
}  // namespace fg::electrons
