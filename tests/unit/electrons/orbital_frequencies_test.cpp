// SPDX-License-Identifier: BSD-3-Clause
//
// Frequencies of orbitals, against the dynamics of a small system: waves on a line in a cosine
// potential, whose lowest orbital is disturbed and moves by velocity Verlet.
#include "electrons/orbitals/orbital_frequencies.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "base/error.hpp"
#include "base/units.hpp"
#include "electrons/matrices/blas.hpp"

namespace fg::electrons {
namespace {

using Matrix = std::vector<double>;

constexpr double infinite = std::numeric_limits<double>::infinity();

/// H of the waves cos(n b x) of even functions, n = 0 ... size - 1: a potential -2 depth cos(b x).
struct Line {
  static constexpr int size = 12;
  static constexpr double b = 0.7, depth = 0.3;

  static double kinetic(int n) { return 0.5 * b * b * n * n; }
  static Matrix hamiltonian() {
    Matrix h(size * size);
    for (int n = 0; n < size; ++n) {
      h[n * size + n] = kinetic(n);
      // The constant wave is norm 1, the others sqrt(2) cos.
      if (n > 0) h[n * size + n - 1] = h[(n - 1) * size + n] = -depth * (n == 1 ? std::sqrt(2) : 1);
    }
    return h;
  }
  static SwingingOrbitals orbitals(double mass_cutoff) {
    return {
        .mass = {.mass = 300, .cutoff = mass_cutoff}, .occupation = 2, .cutoff = kinetic(size - 1)};
  }
};

struct Solution {
  std::vector<double> values;
  Matrix vectors;  // in rows
};
Solution solve() {
  Solution s{{}, Line::hamiltonian()};
  s.values = blas::eigenvectors(Line::size, s.vectors.data());
  return s;
}

/// The squares of true frequencies, from f m^(-1/2) (H - e_1) m^(-1/2), rising; the first is 0.
std::vector<double> true_squares(const SwingingOrbitals& orbitals) {
  const double lowest = solve().values.front();
  Matrix a = Line::hamiltonian();
  for (int n = 0; n < Line::size; ++n) a[n * Line::size + n] -= lowest;
  for (int n = 0; n < Line::size; ++n)
    for (int k = 0; k < Line::size; ++k)
      a[n * Line::size + k] *= orbitals.occupation / std::sqrt(orbitals.mass.of(Line::kinetic(n)) *
                                                               orbitals.mass.of(Line::kinetic(k)));
  return blas::eigenvalues(Line::size, a.data());
}

/// The largest coefficient in a long dynamics of the lowest orbital, disturbed by 1e-6 of each
/// wave; its norm is left to the equation, which keeps it to first order.
double largest_of_dynamics(const SwingingOrbitals& orbitals, double timestep) {
  const Solution ground = solve();
  const Matrix h = Line::hamiltonian();
  std::vector<double> c(ground.vectors.begin(), ground.vectors.begin() + Line::size), v(c.size());
  for (double& x : c) x += 1e-6;
  const auto kick = [&] {
    for (int n = 0; n < Line::size; ++n) {
      double force = ground.values.front() * c[n];
      for (int k = 0; k < Line::size; ++k) force -= h[n * Line::size + k] * c[k];
      v[n] += 0.5 * timestep * orbitals.occupation * force / orbitals.mass.of(Line::kinetic(n));
    }
  };
  double largest = 0;
  for (int step = 0; step < 2000; ++step) {
    kick();
    for (std::size_t n = 0; n < c.size(); ++n) c[n] += timestep * v[n];
    kick();
    for (const double x : c) largest = std::max(largest, std::abs(x));
    if (largest > 1e6) break;
  }
  return largest;
}

class MassCutoffs : public testing::TestWithParam<double> {};

TEST_P(MassCutoffs, BoundTheHighestFrequencyOfADynamics) {
  const SwingingOrbitals orbitals = Line::orbitals(GetParam());
  const double highest = std::sqrt(true_squares(orbitals).back());
  const double lowest = solve().values.front();
  ASSERT_LT(lowest, 0);
  // The mean of the potential is 0. From below, and near where its waves are not those that are
  // bound.
  EXPECT_LT(highest_orbital_frequency(orbitals), highest_orbital_frequency(orbitals, lowest));
  EXPECT_LE(highest_orbital_frequency(orbitals, lowest), highest);
  EXPECT_GT(highest_orbital_frequency(orbitals, lowest), 0.8 * highest);
  // The dynamics blows up above 2 / omega of the true frequency, and not below.
  EXPECT_LT(largest_of_dynamics(orbitals, 0.99 * longest_timestep(highest)), 2);
  EXPECT_GT(largest_of_dynamics(orbitals, 1.01 * longest_timestep(highest)), 1e6);
  // So it does above the bound.
  EXPECT_GT(
      largest_of_dynamics(orbitals, 1.01 * longest_timestep(highest_orbital_frequency(orbitals))),
      1e6);
}

INSTANTIATE_TEST_SUITE_P(Line, MassCutoffs, testing::Values(infinite, 40.0, 8.0, 2.0));

TEST(OrbitalFrequencies, HaveTheLowestOneOfTheGap) {
  const auto values = solve().values;
  const SwingingOrbitals uniform = Line::orbitals(infinite);
  const double gap = values[1] - values[0];
  EXPECT_NEAR(lowest_orbital_frequency(uniform, gap), std::sqrt(true_squares(uniform)[1]), 1e-14);
  // Heavier high waves make it lower.
  const SwingingOrbitals heavier = Line::orbitals(0.2);
  EXPECT_GT(lowest_orbital_frequency(heavier, gap), std::sqrt(true_squares(heavier)[1]));
  EXPECT_NEAR(gap_of_frequency(uniform, lowest_orbital_frequency(uniform, gap)), gap, 1e-14);
}

TEST(OrbitalFrequencies, AreThoseOfKnownSettings) {
  // 70 Ry and 400 electron masses for all waves: sqrt(2 * 35 / 400) = 0.41833.
  const SwingingOrbitals uniform{.mass = {400, infinite}, .occupation = 2, .cutoff = 35};
  EXPECT_NEAR(highest_orbital_frequency(uniform), 0.4183300132670378, 1e-15);
  EXPECT_NEAR(longest_timestep(highest_orbital_frequency(uniform)), 4.780914437337574, 1e-14);
  // With masses that grow from 1.25 hartree on: sqrt(2 * 1.25 / 400) = 0.07906.
  const SwingingOrbitals growing{.mass = {400, 1.25}, .occupation = 2, .cutoff = 35};
  EXPECT_NEAR(highest_orbital_frequency(growing), 0.0790569415042095, 1e-15);
  // A mass cutoff above that of the waves counts for nothing.
  const SwingingOrbitals few{.mass = {400, 1.25}, .occupation = 1, .cutoff = 1};
  EXPECT_NEAR(highest_orbital_frequency(few), 0.05, 1e-15);
  EXPECT_THROW(highest_orbital_frequency(few, 0.1), InternalError);
}

TEST(IonFrequencies, AreThoseOfTheLightestMass) {
  const double dalton = 1 / units::electron_mass_in_dalton;
  // sqrt(0.5 / (1.008 * 1822.888)) = 0.016496: 3620 1/cm.
  const double hydrogen = highest_ion_frequency(std::vector{16 * dalton, 1.008 * dalton});
  EXPECT_NEAR(hydrogen * units::hartree_in_inverse_cm, 3620.4, 0.1);
  EXPECT_NEAR(highest_ion_frequency(std::vector{4 * 1.008 * dalton}), hydrogen / 2, 1e-15);
  EXPECT_EQ(highest_ion_frequency({}), 0);
}

}  // namespace
}  // namespace fg::electrons
