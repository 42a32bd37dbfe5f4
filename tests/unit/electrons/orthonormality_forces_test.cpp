// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of constraint against elimination, and what they are for: orthonormal orbitals.
#include "electrons/matrices/orthonormality_forces.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::test {
namespace {

using Matrix = std::vector<double>;
using electrons::OrthonormalityForces;

/// Random orthonormal orbitals of `waves` real coefficients, masses from 1 to 4, velocities.
struct Orbitals {
  std::size_t n, waves = 40;
  Matrix c, v, masses;

  Orbitals(int count, double speed) : n(static_cast<std::size_t>(count)) {
    std::mt19937_64 random(static_cast<std::uint64_t>(count));
    std::uniform_real_distribution<double> number(-1, 1);
    c.resize(n * waves);
    v.resize(n * waves);
    for (double& x : c) x = number(random);
    for (double& x : v) x = speed * number(random);
    for (std::size_t i = 0; i < waves; ++i) masses.push_back(2.5 + 1.5 * number(random));
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t k = 0; k < i; ++k) add(-product(c, i, c, k), k, i);
      const double norm = std::sqrt(product(c, i, c, i));
      for (std::size_t w = 0; w < waves; ++w) c[i * waves + w] /= norm;
    }
  }
  void add(double share, std::size_t from, std::size_t to) {
    for (std::size_t w = 0; w < waves; ++w) c[to * waves + w] += share * c[from * waves + w];
  }
  double product(const Matrix& a, std::size_t i, const Matrix& b, std::size_t k) const {
    double sum = 0;
    for (std::size_t w = 0; w < waves; ++w) sum += a[i * waves + w] * b[k * waves + w];
    return sum;
  }
  Matrix products(const Matrix& a, const Matrix& b) const {
    Matrix all;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t k = 0; k < n; ++k) all.push_back(product(a, i, b, k));
    return all;
  }
  Matrix pulled() const {
    Matrix p = c;
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t w = 0; w < waves; ++w) p[i * waves + w] /= masses[w];
    return p;
  }
  Matrix moved() const {
    Matrix all = c;
    for (std::size_t i = 0; i < all.size(); ++i) all[i] += v[i];
    return all;
  }
};

/// to += p x.
void add_product(const Orbitals& of, const Matrix& p, const Matrix& x, Matrix& to) {
  for (std::size_t k = 0; k < of.n; ++k)
    for (std::size_t i = 0; i < of.n; ++i)
      for (std::size_t w = 0; w < of.waves; ++w)
        to[k * of.waves + w] += p[i * of.waves + w] * x[i * of.n + k];
}

class ForcesOfConstraint : public ::testing::TestWithParam<int> {};

TEST_P(ForcesOfConstraint, MakeMovedOrbitalsOrthonormal) {
  const Orbitals orbitals(GetParam(), 0.05);
  Matrix moved = orbitals.moved();
  const Matrix p = orbitals.pulled();
  const Matrix a = orbitals.products(moved, moved), b = orbitals.products(p, moved),
               c = orbitals.products(p, p);
  Matrix x(a.size());
  const double tolerance = 1e-13;
  OrthonormalityForces forces(GetParam());
  const auto report = forces.find(a, b, c, tolerance, x);
  EXPECT_GT(report.deviation, 1e-3);
  EXPECT_LE(report.iterations, 15);  // each of them gains a digit

  const Matrix plain = electrons::reference::constraint_forces(GetParam(), a, b, c);
  // The inverse of 2 <p|c~> is below 4, so X is as good as four times the tolerance.
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], plain[i], 10 * tolerance);
  for (std::size_t i = 0; i < orbitals.n; ++i)
    for (std::size_t k = 0; k < i; ++k) EXPECT_EQ(x[i * orbitals.n + k], x[k * orbitals.n + i]);
  add_product(orbitals, p, x, moved);
  const Matrix overlaps = orbitals.products(moved, moved);
  for (std::size_t i = 0; i < orbitals.n; ++i)
    for (std::size_t k = 0; k < orbitals.n; ++k)
      EXPECT_NEAR(overlaps[i * orbitals.n + k], i == k ? 1 : 0, 2 * tolerance);
  Matrix again(x.size());
  forces.find(a, b, c, tolerance, again);
  EXPECT_EQ(again, x);
}

TEST_P(ForcesOfConstraint, TakeWhatVelocitiesMayNotHaveOfTheirKineticEnergy) {
  const Orbitals orbitals(GetParam(), 1);
  const Matrix p = orbitals.pulled();
  const Matrix overlaps = orbitals.products(orbitals.c, orbitals.v),
               m = orbitals.products(orbitals.c, p);
  const double part = OrthonormalityForces(GetParam()).kinetic_part(overlaps, m);
  const double plain = electrons::reference::constrained_kinetic_part(GetParam(), overlaps, m);
  EXPECT_GT(part, 0);
  // Y is as good as 1e-12 of itself.
  EXPECT_NEAR(part, plain, 1e-11 * plain);
}

INSTANTIATE_TEST_SUITE_P(Orbitals, ForcesOfConstraint, ::testing::Values(1, 2, 5, 9));

TEST(ForcesOfConstraint, OfVelocitiesAtRestTakeNothing) {
  const Matrix zero(4), m{0.5, 0.1, 0.1, 0.5};
  EXPECT_EQ(OrthonormalityForces(2).kinetic_part(zero, m), 0);
}

TEST(ForcesOfConstraint, AreRefusedIfOrbitalsMovedTooFar) {
  // Twice the length: 4 + 2 b x + c x^2 = 1 has no solution if b^2 < 3 c.
  const Matrix a{4, 0, 0, 4}, b{0.001, 0, 0, 0.001}, c{1e-6, 0, 0, 1e-6};
  Matrix x(4);
  try {
    OrthonormalityForces(2).find(a, b, c, 1e-10, x);
    FAIL() << "it found forces";
  } catch (const NumericsError& error) {
    EXPECT_NE(std::string(error.what()).find("shorter time step"), std::string::npos)
        << error.what();
  }
}

TEST(ForcesOfConstraint, AreRefusedIfANumberIsMissing) {
  const Matrix a{std::nan(""), 0, 0, 1}, b{1, 0, 0, 1}, c{1, 0, 0, 1};
  Matrix x(4);
  EXPECT_THROW(OrthonormalityForces(2).find(a, b, c, 1e-10, x), NumericsError);
}

}  // namespace
}  // namespace fg::test
