// SPDX-License-Identifier: BSD-3-Clause
#include "forces/pair/contacts.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "base/units.hpp"

namespace fg {
namespace {

constexpr double angstrom = 0.1 / units::bohr_in_nm;

/// Two argon-like atoms, a hydrogen without Lennard-Jones, and a dummy without interactions.
struct Atoms {
  AtomParameters parameters{
      .charge = {0, -1, 0.4, 0}, .sigma = {6, 6, 0, 6}, .epsilon = {1e-3, 1e-3, 0, 0}};
  std::vector<std::array<std::int32_t, 2>> excluded;
  std::vector<ExceptionPair> exceptions;
  Box box{{40, 40, 40}};

  double ratio(const std::vector<Vec3>& positions) const {
    const auto exclusions = make_exclusion_table(4, excluded);
    return Contacts(parameters, exclusions, exceptions, box).closest(positions, 1.0).ratio;
  }
};

TEST(Contacts, TouchAtSevenTenthsOfSigmaOrOneAngstrom) {
  const Atoms atoms;
  EXPECT_NEAR(atoms.ratio({{0, 0, 0}, {39, 0, 0}, {20, 0, 0}, {0, 20, 0}}), 1 / 4.2, 1e-12);
  EXPECT_NEAR(atoms.ratio({{0, 0, 0}, {20, 0, 0}, {20, 0.5 * angstrom, 0}, {0, 20, 0}}), 0.5, 1e-9);
}

TEST(Contacts, LeaveOutExclusionsAndAtomsThatDoNotInteract) {
  Atoms atoms;
  const std::vector<Vec3> together{{0, 0, 0}, {1, 0, 0}, {20, 0, 0}, {20, 0.1, 0}};
  EXPECT_LT(atoms.ratio(together), 1);
  atoms.excluded = {{0, 1}};
  EXPECT_EQ(atoms.ratio(together), 1);
  atoms.exceptions = {{.atoms = {0, 1}, .charge_product = 0, .sigma = 5, .epsilon = 1e-3}};
  EXPECT_NEAR(atoms.ratio(together), 1 / 3.5, 1e-12);
}

TEST(Contacts, TouchAtTheSigmaOfATableOfPairs) {
  Atoms atoms;
  atoms.parameters.types = {.count = 2,
                            .of_atom = {0, 1, 1, 1},
                            .sigma = {6, 8, 8, 6},
                            .epsilon = {1e-3, 1e-3, 1e-3, 1e-3}};
  EXPECT_NEAR(atoms.ratio({{0, 0, 0}, {39, 0, 0}, {20, 0, 0}, {0, 20, 0}}), 1 / 5.6, 1e-12);
}

TEST(Contacts, PushIsMinusTheGradientAndFiniteForAtomsInOnePlace) {
  const Atoms atoms;
  const auto exclusions = make_exclusion_table(4, atoms.excluded);
  const Contacts contacts(atoms.parameters, exclusions, atoms.exceptions, atoms.box);
  std::vector<Vec3> x{{0, 0, 0}, {39, 1, 0.5}, {0.7, 0.9, 0.2}, {20, 0, 0}};
  std::vector<Vec3> forces(4), unused(4);
  contacts.add_repulsion(x, forces);
  for (int atom = 0; atom < 3; ++atom)
    for (int axis = 0; axis < 3; ++axis) {
      const double step = 1e-5, at = x[atom][axis];
      x[atom][axis] = at + step;
      const double above = contacts.add_repulsion(x, unused);
      x[atom][axis] = at - step;
      const double below = contacts.add_repulsion(x, unused);
      x[atom][axis] = at;
      EXPECT_NEAR(forces[atom][axis], (below - above) / (2 * step), 1e-8);
    }
  x[1] = x[0];
  forces.assign(4, {});
  EXPECT_TRUE(std::isfinite(contacts.add_repulsion(x, forces)));
  EXPECT_GT(norm(forces[0]), 0.1);
  EXPECT_TRUE(std::isfinite(norm(forces[0])));
}

}  // namespace
}  // namespace fg
