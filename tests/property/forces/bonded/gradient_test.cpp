// SPDX-License-Identifier: BSD-3-Clause
//
// Property: the force of every bonded term is minus the gradient of its energy, sums to zero and
// exerts no torque; and near the geometries where an angle or a torsion is undefined it is finite.
// The allowed error is estimated: Richardson for the truncation, plus round-off of the energies.
// Units: bohr, hartree.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "forces/terms/terms.hpp"
#include "support/classical/bonded_samples.hpp"

namespace fg::test {
namespace {

struct Evaluation {
  double energy = 0;
  std::vector<Vec3> force;
};
struct Case {
  std::string name;
  int atoms;
  std::function<Evaluation(const std::vector<Vec3>&)> evaluate;
};

/// What a kernel is called with, for atoms at given positions without images.
class Positions {
 public:
  explicit Positions(const std::vector<Vec3>& x) : x_(x) { result_.force.resize(x.size()); }
  Vec3 between(int a, int b) const { return x_[a] - x_[b]; }
  void add_force(int atom, const Vec3& force) { result_.force[atom] += force; }
  void add_energy(double energy) { result_.energy += energy; }
  void add_virial(const Vec3&, const Vec3&) {}
  const Evaluation& result() const { return result_; }

 private:
  const std::vector<Vec3>& x_;
  Evaluation result_;
};

std::vector<Case> every_term() {
  std::vector<Case> cases;
  BondedTerms::for_each_kind([&]<class Term>() {
    using Tables = typename Term::Shared::Tables;
    const auto tables = std::make_shared<const Tables>(shared_by_samples<Term>());
    for (const Term& term : samples<Term>())
      cases.push_back(
          {std::string(Term::name) + " " + std::to_string(cases.size()), atoms_in<Term>,
           [tables, kernel = typename Term::Kernel(term, *tables)](const std::vector<Vec3>& x) {
             Positions positions(x);
             kernel(positions);
             return positions.result();
           }});
  });
  return cases;
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
  for (const Case& term : every_term()) {
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
  for (const Case& term : every_term()) {
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
    const Dihedral phi({2, bend, 0}, {2, 0, 0}, {-2, 0, bend});
    const TorsionResult r = periodic_torsion(phi, 3, 1.0, 0.0, 0.004);
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

TEST(BondedLimits, DihedralTermsOfAtomsInLineAreFinite) {
  BondedTerms::for_each_kind([]<class Term>() {
    const typename Term::Shared::Tables tables(shared_by_samples<Term>());
    for (const Term& term : samples<Term>())
      for (const double bend : {0.0, 1e-160, 1e-9, 1e-6}) {
        std::vector<Vec3> x;
        for (std::size_t i = 0; i < atoms_in<Term>; ++i)
          x.push_back({2.0 * static_cast<double>(i), i % 2 ? bend : 0, i == 2 ? bend : 0});
        Positions positions(x);
        typename Term::Kernel(term, tables)(positions);
        EXPECT_TRUE(std::isfinite(positions.result().energy)) << Term::name << " " << bend;
        for (const Vec3& f : positions.result().force) EXPECT_LE(norm(f), 1e8) << Term::name;
      }
  });
}

TEST(BondedLimits, AHarmonicTorsionIsPeriodic) {
  // An angle of 3 and a rest at -3: the short way is across 180 degrees.
  const double turn = 2 * std::acos(-1.0) - 6;
  const std::vector<Vec3> x{
      {2, 0, -1}, {0, 0, 0}, {0, 0, 2}, {2 * std::cos(3), 2 * std::sin(3), 3}};
  for (const double angle : {-3.0, 2 * std::acos(-1.0) - 3}) {
    Positions positions(x);
    HarmonicTorsion::Kernel({.angle = angle, .stiffness = 0.2}, {})(positions);
    EXPECT_NEAR(positions.result().energy, 0.1 * turn * turn, 1e-15);
  }
}

TEST(BondedLimits, ACmapSurfacePassesThroughItsPointsAndRepeats) {
  const CmapMaps maps = shared_by_samples<Cmap>();
  const CmapSurfaces surfaces(maps);
  const double turn = 2 * std::acos(-1.0);
  std::size_t place = 0;
  for (int map = 0; map < maps.count(); ++map) {
    const int size = maps.size[map];
    for (int j = 0; j < size; ++j)
      for (int i = 0; i < size; ++i, ++place)
        for (const int times : {-1, 0, 1}) {
          const double first = turn * i / size + times * turn,
                       second = turn * j / size - times * turn;
          // Slopes are below 0.02, and angles are rounded at 1e-15.
          EXPECT_NEAR(surfaces.of(map).at(first, second).energy, maps.energy[place], 1e-16);
        }
  }
  // From both sides of a whole turn the energy and its slopes are the same.
  const CmapResult before = surfaces.of(0).at(-1e-18, 1.0), after = surfaces.of(0).at(0, 1.0);
  EXPECT_NEAR(before.energy, after.energy, 1e-16);
  EXPECT_NEAR(before.by_first, after.by_first, 1e-15);
  EXPECT_NEAR(before.by_second, after.by_second, 1e-15);
}

TEST(BondedLimits, TwoAtomsInOnePlaceHaveNoBondForce) {
  EXPECT_EQ(harmonic_bond({}, 2.0, 0.4).force, Vec3{});
}

}  // namespace
}  // namespace fg::test
