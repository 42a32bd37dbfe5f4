// SPDX-License-Identifier: BSD-3-Clause
//
// Baths of a job: what the engine itself refuses, beside what Python has checked before.
#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

Job job_with(BarostatKind barostat) {
  Job job = water_job({.barostat = barostat});
  if (barostat == BarostatKind::monte_carlo)
    job.dynamics.barostat_interval = 2 * job.settings.rebuild_interval;
  return job;
}

/// The error of a job, or "" if it is accepted.
std::string refusal(const Job& job) {
  try {
    check_job(job);
  } catch (const InputError& error) {
    return error.what();
  }
  return {};
}

TEST(BathsOfAJob, AreAcceptedAsTheyAreMeant) {
  for (const auto& [name, kind] : barostat_names) EXPECT_EQ(refusal(job_with(kind)), "") << name;
}

TEST(BathsOfAJob, AreRefusedIfTheyMakeNoSense) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  struct Case {
    const char* expected;
    BarostatKind kind;
    std::function<void(Job&)> change;
  };
  const auto rescaling = BarostatKind::stochastic_rescaling;
  const auto piston = BarostatKind::langevin_piston;
  const std::vector<Case> cases{
      {"'temperature of a bath'", rescaling, [](Job& j) { j.dynamics.temperature = 0; }},
      {"'thermostat_time'", rescaling, [](Job& j) { j.dynamics.thermostat_time = -1; }},
      {"needs a periodic box", rescaling, [](Job& j) { j.box.periodic = false; }},
      {"'pressure'", rescaling, [](Job& j) { j.dynamics.pressure = nan; }},
      {"'pressure'", piston, [](Job& j) { j.dynamics.pressure = -2; }},
      {"'compressibility'", rescaling, [](Job& j) { j.dynamics.compressibility = 0; }},
      {"'barostat_time'", rescaling, [](Job& j) { j.dynamics.barostat_time = 0; }},
      {"'piston_period'", piston,
       [](Job& j) {
         j.dynamics.piston_period = 9.9 * j.settings.rebuild_interval * j.dynamics.timestep;
       }},
      {"scales all edges alike", piston,
       [](Job& j) { j.dynamics.coupling = BoxCoupling::anisotropic; }},
  };
  for (const Case& c : cases) {
    Job job = job_with(c.kind);
    c.change(job);
    if (!job.box.periodic) job.settings.electrostatics = Electrostatics::plain;
    const std::string found = refusal(job);
    EXPECT_NE(found.find(c.expected), std::string::npos) << c.expected << " in: " << found;
    EXPECT_NE(found.find("/dynamics"), std::string::npos) << found;
    EXPECT_NE(found.find("limit"), std::string::npos) << found;
  }
}

/// The shortest period that an input may name is the engine's, however it has been rounded.
TEST(BathsOfAJob, MayBeAtTheLimit) {
  Job job = job_with(BarostatKind::langevin_piston);
  const double limit = 10 * job.settings.rebuild_interval * job.dynamics.timestep;
  job.dynamics.piston_period = limit * (1 - 1e-15);
  EXPECT_EQ(refusal(job), "");
}

TEST(BathsOfAJob, ArePartOfItsDigest) {
  const Job job = job_with(BarostatKind::stochastic_rescaling);
  const std::string digest = job_digest(job);
  const std::vector<std::function<void(JobDynamics&)>> changes{
      [](JobDynamics& d) { d.barostat = BarostatKind::langevin_piston; },
      [](JobDynamics& d) { d.coupling = BoxCoupling::anisotropic; },
      [](JobDynamics& d) { d.pressure *= 2; },
      [](JobDynamics& d) { d.compressibility *= 2; },
      [](JobDynamics& d) { d.barostat_time *= 2; },
      [](JobDynamics& d) { d.thermostat_time += 1; }};
  for (std::size_t i = 0; i < changes.size(); ++i) {
    Job other = job;
    changes[i](other.dynamics);
    EXPECT_NE(job_digest(other), digest) << i;
  }
}

}  // namespace
}  // namespace fg::test
