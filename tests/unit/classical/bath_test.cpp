// SPDX-License-Identifier: BSD-3-Clause
//
// The bath in process 0: which sums it waits for, and which it refuses.
#include "classical/bath.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

Job job_with(BarostatKind barostat, double dispersion, double its_virial) {
  Job job = water_job({.rescaling = true, .barostat = barostat});
  job.settings.dispersion_coefficient = dispersion;
  job.settings.dispersion_virial = its_virial;
  return job;
}

struct Started {
  explicit Started(BarostatKind kind, double dispersion = 0, double its_virial = 0)
      : job(job_with(kind, dispersion, its_virial)),
        schedule(job.settings, job.dynamics, 0, 100),
        system(job),
        bath(system) {
    measure_for_baths(schedule, job);
    BathState state;
    state.box = job.box;
    state.division = first_division(job);
    bath.begin(schedule, state);
  }
  /// Sums of a system at the target, but for the diagonal of the virial.
  EnergyTotals totals(std::int64_t step, double virial = 0) const {
    EnergyTotals result{.step = step};
    result.terms[energy_term("kinetic")] =
        0.5 * system.degrees_of_freedom() * job.dynamics.temperature;
    for (int axis = 0; axis < 3; ++axis) {
      result.motion[axis] = job.dynamics.pressure * job.box.volume();
      result.virial[axis] = virial;
    }
    return result;
  }
  EnergyTotals take(EnergyTotals totals) {
    bath.take(totals);
    return totals;
  }

  Job job;
  Schedule schedule;
  System system;
  Bath bath;
};

TEST(Bath, KnowsTheNextScalingFromTheLastOfItsSamples) {
  Started start(BarostatKind::stochastic_rescaling);
  EXPECT_TRUE(start.bath.knows(0));
  std::int64_t next = 10;
  for (std::int64_t step = 0; step <= 40; ++step) {
    if (!start.schedule.virial(step)) continue;
    start.take(start.totals(step));
    if (start.schedule.decides(step)) {
      EXPECT_TRUE(start.bath.knows(next));
      EXPECT_EQ(start.bath.latest().step, next);
      next += 10;
    }
    EXPECT_FALSE(start.bath.knows(next)) << "after step " << step;
  }
  EXPECT_EQ(next, 50);
  EXPECT_NE(start.bath.latest().state.box, start.job.box);
}

/// A virial that is no number, and one that would change an edge by half.
TEST(Bath, RefusesPressuresBeyondAllBounds) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  for (const auto kind : {BarostatKind::stochastic_rescaling, BarostatKind::langevin_piston})
    for (const double virial : {nan, 1e9, -1e9}) {
      Started start(kind);
      std::int64_t step = 0;
      try {
        for (; step < 20; ++step)
          if (start.schedule.virial(step)) start.take(start.totals(step, virial));
        FAIL() << "it was taken: " << virial;
      } catch (const NumericsError& error) {
        const std::string text = error.what();
        EXPECT_TRUE(start.schedule.decides(step));
        EXPECT_NE(text.find("step " + std::to_string(step)), std::string::npos) << text;
        EXPECT_NE(text.find("bar along axis"), std::string::npos) << text;
        EXPECT_NE(text.find("barostat_time"), std::string::npos) << text;
        EXPECT_NE(text.find("10 %"), std::string::npos) << text;
      }
    }
}

/// The samples have the virial that the job says, which is not always the derivative of the energy.
TEST(Bath, AddsTheDispersionToEnergyAndPressure) {
  Started plain(BarostatKind::stochastic_rescaling);
  Started corrected(BarostatKind::stochastic_rescaling, -30, -70);
  const double volume = plain.job.box.volume();
  const EnergyTotals totals = corrected.take(corrected.totals(0));
  EXPECT_DOUBLE_EQ(totals.dispersion, -30 / volume);
  EXPECT_DOUBLE_EQ(totals.dispersion_virial, -70 / volume);
  for (std::int64_t step = 1; step < 10; ++step) {
    if (!plain.schedule.virial(step)) continue;
    plain.take(plain.totals(step, -70 / volume));
    corrected.take(corrected.totals(step));
  }
  ASSERT_TRUE(corrected.bath.knows(10));
  EXPECT_DOUBLE_EQ(corrected.bath.latest().state.box.edge.x, plain.bath.latest().state.box.edge.x);
}

/// The work of a scaling is known at the first sums after it.
TEST(Bath, TellsTheWorkOfAllScalingsSoFar) {
  Started start(BarostatKind::stochastic_rescaling);
  double expected = 0;
  for (std::int64_t step = 0; step <= 20; ++step) {
    if (!start.schedule.virial(step)) continue;
    const BathState before = start.bath.latest().state;
    const bool scaled = step > 0 && step % 10 == 0;
    if (scaled) expected -= 0.5 * dot(before.strain, before.virial_before + Vec3{3, 3, 3});
    const EnergyTotals totals = start.take(start.totals(step, scaled ? 3 : 1));
    EXPECT_DOUBLE_EQ(totals.work, expected) << step;
    EXPECT_DOUBLE_EQ(totals.bath, -expected) << step;
  }
  EXPECT_NE(expected, 0);
}

/// With the kinetic energy of the bath, only noise changes velocities.
TEST(Bath, RescalesVelocitiesWithoutABarostat) {
  Started start(BarostatKind::none);
  for (std::int64_t step = 0; step < 10; ++step)
    if (start.schedule.virial(step)) start.take(start.totals(step));
  ASSERT_TRUE(start.bath.knows(10));
  const Scaling scaling = start.bath.latest().scaling;
  EXPECT_EQ(scaling.length, (Vec3{1, 1, 1}));
  EXPECT_NE(scaling.velocity, 1);
  EXPECT_NEAR(scaling.velocity, 1, 0.15);
  EXPECT_EQ(start.bath.latest().state.box, start.job.box);
}

}  // namespace
}  // namespace fg::test
