// SPDX-License-Identifier: BSD-3-Clause
//
// The baths of a job: which settings give which, and which are refused.
#include "ab_initio/job/baths.hpp"

#include <gtest/gtest.h>

#include <functional>

#include "base/error.hpp"
#include "support/expect_refused.hpp"

namespace fg::ab_initio {
namespace {

DynamicsSettings settings_with(IonBathKind kind) {
  DynamicsSettings settings;
  settings.kind = DynamicsKind::car_parrinello;
  settings.timestep = 4;
  settings.ion_bath = {.kind = kind, .temperature = 1e-3, .time_constant = 1000, .chain_length = 3};
  return settings;
}

TEST(IonBaths, HaveTheDegreesOfFreedomOfTheirKind) {
  EXPECT_EQ(ion_degrees_of_freedom(settings_with(IonBathKind::none), 8), 21);
  EXPECT_EQ(ion_degrees_of_freedom(settings_with(IonBathKind::nose_hoover), 8), 21);
  EXPECT_EQ(ion_degrees_of_freedom(settings_with(IonBathKind::langevin), 8), 24);
  EXPECT_EQ(ion_degrees_of_freedom(settings_with(IonBathKind::nose_hoover), 1), 0);
  EXPECT_EQ(ion_degrees_of_freedom(settings_with(IonBathKind::langevin), 1), 3);
  DynamicsSettings resting = settings_with(IonBathKind::none);
  resting.ions_rest = true;
  EXPECT_EQ(ion_degrees_of_freedom(resting, 8), 0);
}

TEST(IonBaths, AreThoseOfTheSettings) {
  const auto links = [](IonBathKind kind) {
    return make_ion_bath(settings_with(kind), 8)->state().chain.velocities.size();
  };
  EXPECT_EQ(links(IonBathKind::none), 0);
  EXPECT_EQ(links(IonBathKind::nose_hoover), 3);
  EXPECT_EQ(links(IonBathKind::rescaling), 0);
  EXPECT_EQ(links(IonBathKind::langevin), 0);
  // Ions at rest get heat from all but the first two; Langevin dynamics gives it in the drift.
  const auto given = [](IonBathKind kind, auto work) {
    const std::vector<double> masses{2000, 4000};
    std::vector<Vec3> positions(2), velocities{{1e-3, 0, 0}, {0, 1e-3, 0}};
    const MovingIons ions{masses, positions, velocities};
    const auto bath = make_ion_bath(settings_with(kind), 2);
    work(*bath, ions);
    return bath->energy();
  };
  const auto drift = [](IonBath& bath, const MovingIons& ions) { bath.drift(3, ions); };
  const auto end = [](IonBath& bath, const MovingIons& ions) { bath.end(3, ions); };
  EXPECT_EQ(given(IonBathKind::none, drift), 0);
  EXPECT_EQ(given(IonBathKind::rescaling, drift), 0);
  EXPECT_NE(given(IonBathKind::langevin, drift), 0);
  EXPECT_EQ(given(IonBathKind::none, end), 0);
  EXPECT_NE(given(IonBathKind::nose_hoover, end), 0);
  EXPECT_NE(given(IonBathKind::rescaling, end), 0);
  EXPECT_EQ(given(IonBathKind::langevin, end), 0);
}

TEST(IonBaths, RefuseToActOnNothing) {
  test::expect_refused<InputError>(
      [] { make_ion_bath(settings_with(IonBathKind::nose_hoover), 1); }, "one ion alone");
  DynamicsSettings resting = settings_with(IonBathKind::langevin);
  resting.ions_rest = true;
  test::expect_refused<InputError>([&] { make_ion_bath(resting, 8); }, "the ions rest");
}

TEST(ElectronBath, IsAChainWithTheKineticEnergyOfTheSettings) {
  DynamicsSettings settings = settings_with(IonBathKind::none);
  EXPECT_FALSE(make_electron_bath(settings, 22));
  settings.electron_bath = {.kind = ElectronBathKind::nose_hoover,
                            .kinetic = 0.02,
                            .time_constant = 100,
                            .chain_length = 2};
  auto bath = make_electron_bath(settings, 22);
  ASSERT_TRUE(bath);
  EXPECT_EQ(bath->state().velocities.size(), 2);
  EXPECT_LT(bath->advance(0.03, 2), 1);
  EXPECT_GT(make_electron_bath(settings, 22)->advance(0.01, 2), 1);

  const auto refuse = [&](auto change, const char* because) {
    DynamicsSettings wrong = settings;
    change(wrong);
    test::expect_refused<InputError>([&] { make_electron_bath(wrong, 22); }, because);
  };
  refuse([](auto& s) { s.kind = DynamicsKind::born_oppenheimer; }, "do not move on their own");
  refuse([](auto& s) { s.electron_bath.time_constant = 1; }, "time constant");
  refuse([](auto& s) { s.electron_bath.kinetic = 0; }, "kinetic energy");
}

}  // namespace
}  // namespace fg::ab_initio
