// SPDX-License-Identifier: BSD-3-Clause
//
// Warnings of a dynamics that goes wrong, from made-up steps: when they come, how often, and what
// the line of progress says.
#include "ab_initio/results/dynamics_watch.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace fg::ab_initio {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

DynamicsSettings moving(DynamicsKind kind = DynamicsKind::car_parrinello) {
  DynamicsSettings settings;
  settings.kind = kind;
  return settings;
}

/// Two ions with one hartree in all, orbitals with a tenth of that.
DynamicsStep made_step(std::int64_t number, double fictitious = 0.1, double change = 0) {
  DynamicsStep step{.number = number};
  step.energies.kinetic = -3 - fictitious + change;
  step.ion_kinetic = 1;
  step.fictitious_kinetic = fictitious;
  step.conserved_at_start = -2;
  return step;
}

TEST(DynamicsWatch, SaysNothingOfARunThatGoesWell) {
  for (const auto kind : {DynamicsKind::car_parrinello, DynamicsKind::born_oppenheimer}) {
    DynamicsWatch watch(moving(kind), 2);
    for (int n = 0; n < 200; ++n) {
      EXPECT_THAT(watch.see(made_step(n, 0.45, n % 2 ? 1.9e-3 : -1.9e-3)), IsEmpty());
      EXPECT_EQ(watch.trouble(), "");
    }
  }
}

TEST(DynamicsWatch, WarnsOfAStartBesideTheGroundState) {
  DynamicsStep first = made_step(0);
  first.residual = 0.9e-4;
  EXPECT_THAT(DynamicsWatch(moving(), 2).see(first), IsEmpty());
  first.residual = 3e-3;
  EXPECT_THAT(DynamicsWatch(moving(), 2).see(first),
              ElementsAre(testing::AllOf(HasSubstr("residual of 0.003 hartree"),
                                         HasSubstr("at most 0.0001"))));
  DynamicsStep later = made_step(1);
  later.residual = 3e-3;
  EXPECT_THAT(DynamicsWatch(moving(), 2).see(later), IsEmpty());
  // The swing is what a run among ions at rest is for; each step of the other kind has its search.
  DynamicsSettings rest = moving();
  rest.ions_rest = true;
  EXPECT_THAT(DynamicsWatch(rest, 2).see(first), IsEmpty());
  EXPECT_THAT(DynamicsWatch(moving(DynamicsKind::born_oppenheimer), 2).see(first), IsEmpty());
}

TEST(DynamicsWatch, WarnsOfDriftAtEachDoubling) {
  DynamicsWatch watch(moving(DynamicsKind::born_oppenheimer), 2);
  EXPECT_THAT(watch.see(made_step(0)), IsEmpty());
  // 0.0015 for each ion, then less than twice as much, then more, in the other direction.
  EXPECT_THAT(watch.see(made_step(1, 0.1, 0.003)),
              ElementsAre(HasSubstr("step 1: the conserved energy has changed by 0.0015 hartree")));
  EXPECT_EQ(watch.trouble(), "conserved energy off by 0.0015 hartree/ion");
  EXPECT_THAT(watch.see(made_step(2, 0.1, 0.0039)), IsEmpty());
  EXPECT_THAT(watch.trouble(), HasSubstr("off by"));
  EXPECT_THAT(watch.see(made_step(3, 0.1, -0.009)), ElementsAre(HasSubstr("-0.0045 hartree")));
  EXPECT_THAT(watch.see(made_step(4, 0.1, 0.015)), IsEmpty());  // below 0.008 an ion
  EXPECT_THAT(watch.see(made_step(5, 0.1, 0.017)), ElementsAre(HasSubstr("0.0085 hartree")));
  // It is over.
  EXPECT_THAT(watch.see(made_step(6)), IsEmpty());
  EXPECT_EQ(watch.trouble(), "");
  // Nothing is known of the start.
  DynamicsStep blind = made_step(7, 0.1, 5);
  blind.conserved_at_start.reset();
  EXPECT_THAT(watch.see(blind), IsEmpty());
}

TEST(DynamicsWatch, WarnsOfHotOrbitalsByMeansAtEachDoubling) {
  const auto rows = static_cast<int>(rows_of_mean);
  DynamicsWatch watch(moving(), 2);
  int n = 0;
  // One row is not a mean.
  for (; n < rows - 1; ++n) EXPECT_THAT(watch.see(made_step(n, n == 5 ? 20 : 0.1)), IsEmpty());
  // (48 * 0.1 + 20 + 0.6) / 50 = 0.508.
  const auto first = watch.see(made_step(n++, 0.6));
  ASSERT_THAT(first, ElementsAre(HasSubstr("orbitals are hot")));
  EXPECT_THAT(first[0], HasSubstr("0.508 hartree, that of the ions 1 hartree"));
  EXPECT_EQ(watch.trouble(), "orbitals are hot: 0.51 hartree");
  // Six rows later the one with 20 is no longer among the last.
  for (; n < rows + 5; ++n) EXPECT_THAT(watch.see(made_step(n)), IsEmpty());
  EXPECT_THAT(watch.see(made_step(n++)), IsEmpty());
  EXPECT_EQ(watch.trouble(), "");
  std::vector<std::string> all;
  for (int k = 0; k < 2 * rows; ++k)
    for (const std::string& one : watch.see(made_step(n++, 2.5))) all.push_back(one);
  EXPECT_THAT(all, ElementsAre(HasSubstr("hot"), HasSubstr("hot")));  // above 1, and above 2
}

TEST(DynamicsWatch, AsksNothingOfOrbitalsWithABathOrAmongIonsAtRest) {
  DynamicsSettings bath = moving(), rest = moving();
  bath.electron_bath.kind = ElectronBathKind::nose_hoover;
  rest.ions_rest = true;
  for (const DynamicsSettings& settings : {bath, rest}) {
    DynamicsWatch watch(settings, 2);
    for (int n = 0; n < 200; ++n) EXPECT_THAT(watch.see(made_step(n, 5)), IsEmpty());
    EXPECT_EQ(watch.trouble(), "");
  }
}

TEST(DynamicsWatch, NamesAllThatIsWrong) {
  DynamicsWatch watch(moving(), 2);
  std::size_t warnings = 0;
  for (int n = 0; n < 60; ++n) warnings += watch.see(made_step(n, 0.7, 0.01)).size();
  EXPECT_EQ(warnings, 2U);
  EXPECT_EQ(watch.trouble(),
            "conserved energy off by 0.005 hartree/ion, orbitals are hot: 0.7 hartree");
}

}  // namespace
}  // namespace fg::ab_initio
