// SPDX-License-Identifier: BSD-3-Clause
//
// The digest of a job is the one that earlier engines gave it, since checkpoints are bound to it.
// The digests here are those of the commit bd8cb950, where each key was added by a line of its own:
// this file compiles there, and its failures print what the engine finds.
#include <gtest/gtest.h>

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "job_file.hpp"
#include "records/job/job.hpp"

namespace fg {
namespace {

/// Adds what a job may have besides what each one has.
void add_optional_keys(hid_t file) {
  const auto settings = h5::group(H5Gopen2(file, "settings", H5P_DEFAULT));
  const auto dynamics = h5::group(H5Gopen2(file, "dynamics", H5P_DEFAULT));
  const auto real = [](const h5::Handle& group, const char* name, double value) {
    h5::write_number<double>(group.get(), name, value, "job");
  };
  const auto whole = [](const h5::Handle& group, const char* name, std::int64_t value) {
    h5::write_number<std::int64_t>(group.get(), name, value, "job");
  };
  real(settings, "dispersion_virial", -1.1);
  whole(settings, "pair_computes", 7);
  h5::write_text(settings.get(), "bits", "portable", "job");
  real(settings, "list_temperature", 1e-3);
  test::set_text(file, "/settings", "switching", "force");
  test::set_number(file, "/settings", "switch_distance", 8);
  real(dynamics, "thermostat_time", 4000);
  h5::write_text(dynamics.get(), "barostat", "stochastic-rescaling", "job");
  h5::write_text(dynamics.get(), "coupling", "semi-isotropic", "job");
  real(dynamics, "pressure", 3e-9);
  real(dynamics, "compressibility", 1.3e4);
  real(dynamics, "barostat_time", 80000);
  real(dynamics, "piston_period", 40000);
  whole(dynamics, "barostat_interval", 40);  // of another barostat, so that it does not count
  whole(dynamics, "long_range_interval", 2);
  real(dynamics, "final_temperature", 1e-3);
  whole(dynamics, "ramp_steps", 90);
  whole(dynamics, "trajectory_velocities", 1);
  test::set_text(file, "/dynamics", "minimise", "l-bfgs");
}

TEST(DigestOfAJob, IsThatOfEarlierEngines) {
  const auto loaded = [](const auto& change) { return job_digest(test::loaded(change)); };
  const auto changed = [](const auto& change) {
    Job job = test::loaded();
    change(job.settings, job.dynamics);
    return job_digest(job);
  };
  const std::vector<std::pair<std::string, std::string_view>> cases{
      {loaded([](hid_t) {}), "033f8b63ff088ef642cd02581dc62f078c970607212618b53e45e83a510ff392"},
      {loaded(add_optional_keys),
       "d05d1faadccbf5950c31e99942ce8bda1be910edd6e14816e9f57c5ca6292cbf"},
      {loaded([](hid_t file) {
         test::set_text(file, "/settings", "electrostatics", "reaction-field");
         test::set_text(file, "/dynamics", "integrator", "verlet");
         test::set_text(file, "/dynamics", "velocities", "given");
       }),
       "e5b73fd104350e9575e458a3ddac722bd4564117f80b2ccc05f12669e6fb5940"},
      {changed([](JobSettings& s, JobDynamics& d) {
         s.pair_computes = 3;
         s.precision = Precision::mixed_precision;
         d.thermostat_time = 4000;
         d.long_range_interval = 2;
       }),
       "3e6e66b29ffc0b38d6d430911777d4ff61faba2d13250968223a657ba43a66e0"},
      {changed([](JobSettings& s, JobDynamics& d) {
         s.patch_grid = {1, 2, 3};
         d.barostat = BarostatKind::langevin_piston;
         d.pressure = 1e-8;
         d.compressibility = 1e4;
         d.barostat_time = 2e4;
         d.piston_period = 5e4;
       }),
       "8db6b2727d60188d3fd58a0ca215105f034954986185c6f5bd2592dbb0e4fd31"},
      {changed([](JobSettings& s, JobDynamics& d) {
         s.electrostatics = Electrostatics::plain;
         s.mesh = {};
         d.minimise = Minimisation::steepest_descent;
         d.barostat = BarostatKind::monte_carlo;
         d.barostat_interval = 40;
       }),
       "90963909885d35106f61afb60dfaff769abbd9eb84e202eb8d400f61a791442c"},
  };
  const auto by_midpoints = changed([](JobSettings& s, JobDynamics&) {
    s.reach = {2, 1, 2};
    s.pairs = PairAssignment::midpoint;
  });
  EXPECT_NE(by_midpoints, changed([](JobSettings& s, JobDynamics&) { s.reach = {2, 1, 2}; }));
  for (std::size_t i = 0; i < cases.size(); ++i) EXPECT_EQ(cases[i].first, cases[i].second) << i;
}

}  // namespace
}  // namespace fg
