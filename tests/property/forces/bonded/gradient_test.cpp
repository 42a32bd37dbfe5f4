// SPDX-License-Identifier: BSD-3-Clause
//
// Property: the force of every bonded term is minus the gradient of its energy, sums to zero and
// exerts no torque; and near the geometries where an angle or a torsion is undefined it is finite.
// The allowed error is estimated: Richardson for the truncation, plus round-off of the energies.
// Units: bohr, hartree.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "forces/bonded/exception_pair.hpp"
#include "forces/bonded/harmonic_angle.hpp"
#include "forces/bonded/harmonic_bond.hpp"
#include "forces/bonded/periodic_torsion.hpp"

namespace fg::test {
namespace {

struct Evaluation {
  double energy = 0;
  std::vector<Vec3> force;
};
struct Term {
  std::string name;
  int atoms;
  std::function<Evaluation(const std::vector<Vec3>&)> evaluate;
};

Term torsion(int periodicity, double phase) {
  return {"torsion" + std::to_string(periodicity), 4, [=](const std::vector<Vec3>& x) {
            const TorsionResult r =
                periodic_torsion(x[0] - x[1], x[1] - x[2], x[3] - x[2], periodicity,
                                 std::cos(phase), std::sin(phase), 0.004);
            return Evaluation{r.energy, {r.force.begin(), r.force.end()}};
          }};
}

std::vector<Term> every_term() {
  return {{"bond", 2,
           [](const std::vector<Vec3>& x) {
             const BondResult r = harmonic_bond(x[0] - x[1], 2.1, 0.4);
             return Evaluation{r.energy, {r.force, -r.force}};
           }},
          {"angle", 3,
           [](const std::vector<Vec3>& x) {
             const AngleResult r = harmonic_angle(x[0] - x[1], x[2] - x[1], 1.9, 0.15);
             return Evaluation{r.energy, {r.first, -(r.first + r.last), r.last}};
           }},
          torsion(1, 0.0),
          torsion(2, std::acos(-1.0)),
          torsion(3, 0.7),
          torsion(6, 0.0),
          {"exception", 2, [](const std::vector<Vec3>& x) {
             const ExceptionResult r = exception_pair(x[0] - x[1], 0.1, 3.0, 2e-4);
             return Evaluation{r.lennard_jones + r.coulomb, {r.force, -r.force}};
           }}};
}

/// A chain of bonds of about 2.4 bohr with no three atoms near a line.
std::vector<Vec3> random_chain(int atoms, std::mt19937_64& random) {
  std::uniform_real_distribution<double> range(-1, 1);
  const auto direction = [&] {
    for (;;) {
      const double x = range(random), y = range(random);
      const Vec3 v{x, y, range(random)};
      if (norm(v) > 0.3 && norm(v) < 1) return (1 / norm(v)) * v;
    }
  };
  std::vector<Vec3> chain{{3, -2, 1}};
  Vec3 before;
  while (static_cast<int>(chain.size()) < atoms) {
    const Vec3 d = direction();
    if (chain.size() > 1 && norm(cross(before, d)) < 0.5) continue;
    chain.push_back(chain.back() + (2.4 + 0.3 * range(random)) * d);
    before = d;
  }
  return chain;
}

class BondedTerm : public ::testing::TestWithParam<int> {};

TEST_P(BondedTerm, ForceIsMinusEnergyGradient) {
  for (const Term& term : every_term()) {
    std::mt19937_64 random(GetParam());
    const std::vector<Vec3> x = random_chain(term.atoms, random);
    const Evaluation here = term.evaluate(x);
    for (int atom = 0; atom < term.atoms; ++atom)
      for (int axis = 0; axis < 3; ++axis) {
        const auto slope = [&](double h) {
          std::vector<Vec3> ahead = x, behind = x;
          ahead[atom][axis] += h;
          behind[atom][axis] -= h;
          return (term.evaluate(ahead).energy - term.evaluate(behind).energy) / (2 * h);
        };
        const double h = 1e-4;
        const double fine = slope(h);
        const double truncation = std::abs(slope(2 * h) - fine) / 3;
        // Energies are below 0.1 hartree and made of cancelling parts about as large.
        const double allowed = 2 * truncation + 1e-16 / h * 8;
        ASSERT_LT(allowed, 1e-6) << term.name << " is not smooth here";
        EXPECT_NEAR(here.force[atom][axis], -fine, allowed) << term.name << " seed " << GetParam();
      }
  }
}

TEST_P(BondedTerm, ForcesSumToZeroAndExertNoTorque) {
  for (const Term& term : every_term()) {
    std::mt19937_64 random(GetParam() + 50);
    const std::vector<Vec3> x = random_chain(term.atoms, random);
    const Evaluation here = term.evaluate(x);
    Vec3 force, torque;
    for (int atom = 0; atom < term.atoms; ++atom) {
      force += here.force[atom];
      torque += cross(x[atom], here.force[atom]);
    }
    EXPECT_LT(norm(force), 1e-16) << term.name;   // roundings of forces of up to 0.1
    EXPECT_LT(norm(torque), 1e-14) << term.name;  // times arms of about 10
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BondedTerm, ::testing::Range(1, 21));

TEST(BondedLimits, TorsionsOfAtomsInLineAreFinite) {
  for (const double bend : {0.0, 1e-300, 1e-160, 1e-12, 1e-9, 1e-6}) {
    const TorsionResult r =
        periodic_torsion({2, bend, 0}, {2, 0, 0}, {-2, 0, bend}, 3, 1.0, 0.0, 0.004);
    EXPECT_TRUE(std::isfinite(r.energy)) << bend;
    // 1e-8 is the least angle that counts, so forces stay below 3 k / (2 * 1e-8).
    for (const Vec3& f : r.force) EXPECT_LE(norm(f), 0.012 / 1e-8) << bend;
  }
}

TEST(BondedLimits, StraightAndFoldedAnglesAreFinite) {
  for (const double sign : {1.0, -1.0})
    for (const double bend : {0.0, 1e-300, 1e-160, 1e-12, 1e-9}) {
      const AngleResult r = harmonic_angle({2, 0, 0}, {2 * sign, bend, 0}, 1.9, 0.15);
      const double bent = (sign > 0 ? 0.0 : std::acos(-1.0)) - 1.9;
      EXPECT_NEAR(r.energy, 0.5 * 0.15 * bent * bent, 1e-9) << bend;  // 1e-9 of bend changes it so
      EXPECT_LE(norm(r.first), 0.15 * 1.9 / 2 * (1 + 1e-9)) << bend;
    }
}

TEST(BondedLimits, AStraightAngleAtRestIsHeldThere) {
  const double straight = std::acos(-1.0);
  const AngleResult r = harmonic_angle({2, 0, 0}, {-2, 1e-4, 0}, straight, 0.15);
  // The bend is 5e-5: force k * bend / r towards the line.
  EXPECT_NEAR(r.last.y, -0.15 * 5e-5 / 2, 1e-12);
}

TEST(BondedLimits, TwoAtomsInOnePlaceHaveNoBondForce) {
  EXPECT_EQ(harmonic_bond({}, 2.0, 0.4).force, Vec3{});
}

}  // namespace
}  // namespace fg::test
