// SPDX-License-Identifier: BSD-3-Clause
//
// The Ewald energy of ions in cells of any shape: forces and virial are the derivatives, the result
// depends neither on the splitting nor on how the lattice is written down, and it is that of the
// classical reference.
#include "electrons/ions/ewald_ions.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "forces/mesh/ewald_constants.hpp"
#include "support/references/forces/ewald_reference.hpp"
#include "support/strain.hpp"

namespace fg::electrons {
namespace {

struct Ions {
  Lattice lattice;
  std::vector<double> charges;
  std::vector<Vec3> positions;

  IonEnergy evaluate(std::optional<double> splitting = {}) const {
    return EwaldIons(lattice, charges, splitting).evaluate(positions);
  }
};

const Lattice no_symmetry = {{Vec3{9.1, 0.3, -0.8}, Vec3{-1.7, 8.2, 0.6}, Vec3{2.1, -1.4, 10.3}}};
const Lattice left_handed = {{Vec3{-1.7, 8.2, 0.6}, Vec3{9.1, 0.3, -0.8}, Vec3{2.1, -1.4, 10.3}}};
const Lattice slab = {{Vec3{5, 0, 0}, Vec3{2.5, 4.3, 0}, Vec3{0, 0, 40}}};
const Lattice cubic = {{Vec3{8, 0, 0}, Vec3{0, 8, 0}, Vec3{0, 0, 8}}};

/// Ions not closer than 1.5 bohr; the charges do not add up to 0.
Ions make_ions(const Lattice& lattice, int count) {
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(0, 1);
  Ions ions{lattice, {}, {}};
  while (static_cast<int>(ions.positions.size()) < count) {
    const Vec3 r = lattice.position({unit(random), unit(random), unit(random)});
    bool free = true;
    for (const Vec3& other : ions.positions)
      for (int n = 0; n < 27; ++n) {
        const Vec3 image = lattice.position({n % 3 - 1.0, n / 3 % 3 - 1.0, n / 9 - 1.0});
        free = free && norm(r - other + image) > 1.5;
      }
    if (!free) continue;
    ions.positions.push_back(r);
    ions.charges.push_back(1 + 5 * unit(random));
  }
  return ions;
}

class EwaldIonsIn : public testing::TestWithParam<Lattice> {
 protected:
  Ions ions_ = make_ions(GetParam(), 7);
};

TEST_P(EwaldIonsIn, ForcesAreMinusTheGradient) {
  const IonEnergy here = ions_.evaluate();
  const EwaldIons sum(ions_.lattice, ions_.charges);
  for (std::size_t i = 0; i < ions_.positions.size(); ++i)
    for (int axis = 0; axis < 3; ++axis) {
      const double slope = test::sixth_order_slope(
          [&](double step) {
            std::vector<Vec3> moved = ions_.positions;
            moved[i][axis] += step;
            return sum.evaluate(moved).energy;
          },
          0.01);
      // 4 roundings of about 100 hartree over the step, and the sixth power of it.
      EXPECT_NEAR(here.forces[i][axis], -slope, 1e-10);
    }
}

TEST_P(EwaldIonsIn, TheVirialIsMinusTheDerivativeByTheStrain) {
  const IonEnergy here = ions_.evaluate();
  const double splitting = EwaldIons(ions_.lattice, ions_.charges).splitting();
  for (int component = 0; component < 6; ++component) {
    const double slope = test::sixth_order_slope(
        [&](double strain) {
          Ions other = ions_;
          for (Vec3& v : other.lattice.vectors) v = test::strained(v, component, strain);
          for (Vec3& r : other.positions) r = test::strained(r, component, strain);
          return other.evaluate(splitting).energy;
        },
        0.002);
    EXPECT_NEAR(here.virial[component], -slope, 1e-9) << "component " << component;
  }
}

TEST_P(EwaldIonsIn, TheSplittingDoesNotMatter) {
  const IonEnergy best = ions_.evaluate();
  double size = 0;
  for (const double q : ions_.charges) size += q * q;
  for (const double splitting : {0.25, 0.4, 0.7, 1.1}) {
    const IonEnergy other = ions_.evaluate(splitting);
    EXPECT_NEAR(other.energy, best.energy, 1e-13 * size) << splitting;
    for (std::size_t i = 0; i < best.forces.size(); ++i)
      EXPECT_LT(norm(other.forces[i] - best.forces[i]), 1e-13 * size);
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(other.virial[k], best.virial[k], 3e-13 * size);
  }
}

TEST_P(EwaldIonsIn, TheVectorsOfTheLatticeDoNotMatter) {
  const IonEnergy right = ions_.evaluate();
  Ions skewed = ions_;
  auto& v = skewed.lattice.vectors;
  v[1] += v[0] * 3;
  v[2] += v[1] * 2 - v[0] * 5;
  for (std::size_t i = 0; i < skewed.positions.size(); ++i)
    skewed.positions[i] += v[i % 3] * double(i) - v[(i + 1) % 3] * 2.0;
  const IonEnergy other = skewed.evaluate();
  EXPECT_NEAR(other.energy, right.energy, 1e-11);
  for (std::size_t i = 0; i < right.forces.size(); ++i)
    EXPECT_LT(norm(other.forces[i] - right.forces[i]), 1e-11);
}

TEST_P(EwaldIonsIn, TwoCellsHaveTwiceTheEnergy) {
  const IonEnergy one = ions_.evaluate();
  Ions two = ions_;
  for (std::size_t i = 0; i < ions_.positions.size(); ++i) {
    two.positions.push_back(ions_.positions[i] + ions_.lattice.vectors[1]);
    two.charges.push_back(ions_.charges[i]);
  }
  two.lattice.vectors[1] *= 2;
  EXPECT_NEAR(two.evaluate().energy, 2 * one.energy, 2e-13 * std::abs(one.energy) + 1e-11);
}

TEST_P(EwaldIonsIn, ForcesAddUpToNothingAndBitsAreTheSame) {
  const IonEnergy one = ions_.evaluate(), again = ions_.evaluate();
  Vec3 total;
  for (const Vec3& f : one.forces) total += f;
  EXPECT_LT(norm(total), 1e-12);
  EXPECT_EQ(one.energy, again.energy);
  EXPECT_EQ(one.forces, again.forces);
  EXPECT_EQ(one.virial, again.virial);
}

std::string name_of(const testing::TestParamInfo<Lattice>& info) {
  constexpr const char* names[] = {"Cubic", "NoSymmetry", "LeftHanded", "Slab"};
  return names[info.index];
}

INSTANTIATE_TEST_SUITE_P(Cells, EwaldIonsIn, testing::Values(cubic, no_symmetry, left_handed, slab),
                         name_of);

/// The classical engine's plain sum, whose real part takes nearest images only: a short reach of
/// erfc and many waves.
TEST(EwaldIons, AgreesWithTheClassicalReference) {
  const Box box{.edge = {9, 8, 10}, .tilt = {-1.5, 2, -1}};
  const Lattice lattice = {{box.vector(0), box.vector(1), box.vector(2)}};
  const Ions ions = make_ions(lattice, 9);
  constexpr double alpha = 1.7;
  const std::vector<int> molecule = {0, 1, 2, 3, 4, 5, 6, 7, 8};
  const auto waves =
      reference::ewald_fourier(box, alpha, {.limit = {32, 32, 36}}, ions.positions, ions.charges);
  const auto near = reference::ewald_real(box, alpha, 3.7, ions.positions, ions.charges, molecule);
  const double right =
      waves.energy + near.energy + ewald_constants(ions.charges, alpha).energy(box);
  const IonEnergy tried = ions.evaluate();
  // The last waves of the reference are of exp(-38), and erfc(6.3) = 5e-19.
  EXPECT_NEAR(tried.energy, right, 1e-11);
  for (std::size_t i = 0; i < ions.positions.size(); ++i)
    EXPECT_LT(norm(tried.forces[i] - waves.forces[i] - near.forces[i]), 1e-11);
}

}  // namespace
}  // namespace fg::electrons
