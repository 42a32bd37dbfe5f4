// SPDX-License-Identifier: BSD-3-Clause
//
// Advice on time step and fictitious mass: what is refused, what is warned of, what the log says.
#include "ab_initio/job/dynamics_advice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.hpp"
#include "base/units.hpp"
#include "support/expect_refused.hpp"

namespace fg::ab_initio {
namespace {

using testing::HasSubstr;
using testing::IsEmpty;

DynamicsSettings usual() {
  DynamicsSettings settings;
  settings.kind = DynamicsKind::car_parrinello;
  settings.timestep = 4;
  settings.fictitious_mass = 400;
  settings.mass_cutoff = 1.25;
  return settings;
}

const std::vector<double> water = {15.999 / units::electron_mass_in_dalton,
                                   1.008 / units::electron_mass_in_dalton};

KnownOrbitals before() {
  return {.occupation = 2, .cutoff = 35, .eigenvalues = {}};
}
KnownOrbitals after() {
  return {.occupation = 2, .cutoff = 35, .eigenvalues = {-0.91, -0.25}};
}

std::string text_of(const DynamicsAdvice& advice, const std::string& name) {
  for (const auto& [key, text] : advice.lines)
    if (key == name) return text;
  return "no line " + name;
}

TEST(DynamicsAdvice, RefusesATimeStepThatIsTooLongForCertain) {
  // 2 / sqrt(2 * 1.25 / 400) = 25.298 atomic units of time = 0.612 fs.
  DynamicsSettings settings = usual();
  settings.timestep = 25.2;
  EXPECT_NO_THROW(check_timestep(settings, before()));
  settings.timestep = 25.4;
  test::expect_refused<InputError>([&] { check_timestep(settings, before()); }, "too long");
  test::expect_refused<InputError>([&] { check_timestep(settings, before()); }, "at most 0.612 fs");
  // Without a cutoff of the mass, the fastest wave may be well below the cutoff of a small cell:
  // 2 / sqrt(2 * 0.8 * 35 / 400) = 5.345.
  settings.mass_cutoff = 1e4;
  settings.timestep = 5.3;
  EXPECT_NO_THROW(check_timestep(settings, before()));
  settings.timestep = 5.4;
  EXPECT_THROW(check_timestep(settings, before()), InputError);
  settings.kind = DynamicsKind::born_oppenheimer;
  EXPECT_NO_THROW(check_timestep(settings, before()));
}

TEST(DynamicsAdvice, SaysWhatIsKnownBeforeTheGroundStateAndAfter) {
  const DynamicsAdvice first = advise(usual(), before(), water);
  EXPECT_THAT(text_of(first, "longest time step"), HasSubstr("below 0.612 fs"));
  EXPECT_THAT(text_of(first, "fastest orbitals"), HasSubstr("above 1.74e+04 1/cm"));
  EXPECT_THAT(text_of(first, "fastest ions"), HasSubstr("3.62e+03 1/cm"));
  // 400 * 0.016496^2 / 2 = 0.05442 hartree.
  EXPECT_THAT(text_of(first, "slowest orbitals"), HasSubstr("is 1.48 eV"));
  EXPECT_THAT(text_of(first, "slowest orbitals"), HasSubstr("gap is not computed"));
  EXPECT_THAT(first.warnings, IsEmpty());
  // 2 / sqrt(2 * (1.25 + 0.91) / 400) = 19.245 = 0.466 fs.
  const DynamicsAdvice second = advise(usual(), after(), water);
  EXPECT_THAT(text_of(second, "longest time step"), HasSubstr("about 0.466 fs"));
  EXPECT_THAT(text_of(second, "slowest orbitals"), HasSubstr("-6.8 eV"));
  EXPECT_THAT(second.warnings, IsEmpty());
}

TEST(DynamicsAdvice, WarnsOfALongStepAndOfAHeavyMass) {
  DynamicsSettings settings = usual();
  settings.timestep = 15;
  EXPECT_THAT(advise(settings, before(), water).warnings, IsEmpty());
  EXPECT_THAT(advise(settings, after(), water).warnings,
              testing::ElementsAre(HasSubstr("0.363 fs, is near the longest")));
  settings = usual();
  // 3 eV is the gap for 400 * 0.11025 / 0.05442 = 810 electron masses.
  settings.fictitious_mass = 800;
  EXPECT_THAT(advise(settings, after(), water).warnings, IsEmpty());
  settings.fictitious_mass = 820;
  EXPECT_THAT(advise(settings, after(), water).warnings,
              testing::ElementsAre(HasSubstr("gap is above 3.04 eV")));
  // Ions at rest get no energy, and with heavy hydrogen the mass will do.
  settings.ions_rest = true;
  EXPECT_THAT(advise(settings, after(), water).warnings, IsEmpty());
  settings.ions_rest = false;
  const std::vector<double> heavy = {2.014 / units::electron_mass_in_dalton};
  EXPECT_THAT(advise(settings, after(), heavy).warnings, IsEmpty());
}

TEST(DynamicsAdvice, KnowsTheSlowestOrbitalsByTheGap) {
  // Fastest ions 0.016496. With a gap of 0.2 hartree: sqrt(2 * 0.2 / 400) = 0.031623 = 6940 1/cm.
  DynamicsSettings settings = usual();
  const DynamicsAdvice fast = advise_of_gap(settings, after(), 0.2, water);
  EXPECT_THAT(text_of(fast, "slowest orbitals"), HasSubstr("about 6.94e+03 1/cm by the gap"));
  EXPECT_THAT(text_of(fast, "slowest orbitals"), HasSubstr("1.92 times the fastest ions"));
  EXPECT_THAT(fast.warnings, IsEmpty());
  // 1.5 times the ions: 0.024744^2 * 400 / 2 = 0.12245 hartree.
  EXPECT_THAT(advise_of_gap(settings, after(), 0.123, water).warnings, IsEmpty());
  // A mass of 400 * 0.12 / 0.12245 = 392 would do.
  EXPECT_THAT(advise_of_gap(settings, after(), 0.12, water).warnings,
              testing::ElementsAre(HasSubstr("mass below 392 electron masses")));
  EXPECT_THAT(advise_of_gap(settings, after(), -0.01, water).warnings,
              testing::ElementsAre(HasSubstr("no gap")));
  // Ions at rest take no energy.
  settings.ions_rest = true;
  EXPECT_THAT(advise_of_gap(settings, after(), 0.001, water).warnings, IsEmpty());
}

TEST(DynamicsAdvice, LeavesTheGapToTheGroundStateThatWillHaveIt) {
  DynamicsSettings settings = usual();
  settings.fictitious_mass = 820;
  KnownOrbitals known = before();
  known.finds_gap = true;
  const DynamicsAdvice advice = advise(settings, known, water);
  EXPECT_THAT(advice.warnings, IsEmpty());
  EXPECT_THAT(text_of(advice, "slowest orbitals"), HasSubstr("follows from the empty orbitals"));
}

TEST(DynamicsAdvice, KnowsThatAnEffectiveCutoffMakesWavesFaster) {
  // Below the cutoff of the mass: sqrt(2 * 1.2 / 400) instead of sqrt(2 * 0.8 / 400).
  DynamicsSettings settings = usual();
  KnownOrbitals known{.cutoff = 0.8, .largest = 1.2};
  // 0.0774597 hartree.
  EXPECT_THAT(text_of(advise(settings, known, {}), "fastest orbitals"), HasSubstr("1.7e+04 1/cm"));
}

TEST(DynamicsAdvice, RefusesATimeStepThatTheOrbitalEnergiesRuleOut) {
  // The longest is 19.245; 1.2 times that is 23.094, still below the bound by the kinetic energy.
  DynamicsSettings settings = usual();
  settings.timestep = 23.0;
  EXPECT_NO_THROW(check_estimated_timestep(settings, after()));
  for (const double step : {23.2, -23.2}) {
    settings.timestep = step;
    EXPECT_NO_THROW(check_timestep(settings, before()));
    test::expect_refused<NumericsError>([&] { check_estimated_timestep(settings, after()); },
                                        "0.466 fs, as the orbital energies give it");
  }
}

TEST(DynamicsAdvice, HasNothingToSayOfOtherDynamics) {
  DynamicsSettings settings = usual();
  settings.kind = DynamicsKind::born_oppenheimer;
  EXPECT_THAT(advise(settings, after(), water).lines, IsEmpty());
  EXPECT_THAT(advise(settings, after(), water).warnings, IsEmpty());
}

}  // namespace
}  // namespace fg::ab_initio
