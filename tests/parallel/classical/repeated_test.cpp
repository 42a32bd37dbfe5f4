// SPDX-License-Identifier: BSD-3-Clause
//
// A cell that is repeated gives the bits of the same system written out atom by atom, on any PEs
// and after a restart, though its job, its parameters and its terms are those of one copy.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "classical/evaluate.hpp"
#include "classical/machinery.hpp"
#include "support/classical/frames.hpp"
#include "support/classical/repeated_job.hpp"
#include "support/classical/water_job.hpp"

namespace fg::test {
namespace {

using namespace fg::classical;

constexpr std::int64_t steps = 40;

std::string digest_of_run(const Job& job, int pes) {
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = pes, .pin = false}, output);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  machinery->run(Schedule(job.settings, job.dynamics, 0, steps), state);
  return digest(last_frame(output, FramePurpose::last));
}

std::string digest_after_restart(const Job& job) {
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  Frame stopped;
  {
    OutputQueue output;
    const auto machinery = make_machinery(system, {.pes = 2, .pin = false}, output);
    Schedule schedule(job.settings, job.dynamics, 0, steps);
    schedule.stop_after(15);
    machinery->run(schedule, state);
    stopped = last_frame(output, FramePurpose::checkpoint);
  }
  state = state_after(stopped, job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 1, .pin = false}, output);
  machinery->run(Schedule(job.settings, job.dynamics, state.step, steps), state);
  return digest(last_frame(output, FramePurpose::last));
}

struct Energies {
  std::vector<double> terms;
  std::vector<Vec3> forces;
};

Energies energies_of(const Job& job) {
  const System system(job);
  OutputQueue output;
  const auto machinery = make_machinery(system, {.pes = 1, .pin = false}, output);
  State state = state_of_job(job);
  place_virtual_sites(system, state);
  const Evaluation evaluation = evaluate(*machinery, output, system, state);
  return {PotentialTerms(system).of(evaluation.totals), evaluation.frame.force};
}

struct Case {
  const char* name;
  WaterJobOptions options;
  Int3 repeat{1, 1, 2};
  bool folded = false;  // molecules lie across the faces of the cell
};

Job job_of(const Case& one) {
  Job job = water_job(one.options);
  if (one.folded) fold(job, {-6, 2, 1});
  for (PositionRestraint& restraint : job.restraints)
    restraint.follows = one.options.barostat != BarostatKind::none;
  return repeated_job(std::move(job), one.repeat);
}

class Repeated : public ::testing::TestWithParam<Case> {};

TEST_P(Repeated, HasTheBitsOfTheSameSystemWrittenOut) {
  Job job = job_of(GetParam());
  job.dynamics.com_interval = 0;  // the momentum of the start is summed copy by copy
  check_job(job);
  const Job all = written_out(job);
  ASSERT_EQ(all.atoms.size(), job.all_atoms());
  check_job(all);
  const std::string expected = digest_of_run(all, 1);
  for (const int pes : {1, 2, 3}) EXPECT_EQ(digest_of_run(job, pes), expected) << pes;
  EXPECT_EQ(digest_after_restart(job), expected);
}

TEST_P(Repeated, StartsWithoutMomentumOnAnyPes) {
  const Job job = job_of(GetParam());
  const System system(job);
  State state = state_of_job(job);
  prepare_for_dynamics(system, state);
  Vec3 sum;
  double size = 0;
  for (int i = 0; i < system.atoms(); ++i) {
    sum += state.velocity[i] * system.mass(i);
    size += norm(state.velocity[i]) * system.mass(i);
  }
  EXPECT_LT(norm(sum), 1e-12 * size);  // some thousand roundings of 1e-16
  EXPECT_EQ(digest_of_run(job, 3), digest_of_run(job, 1));
}

INSTANTIATE_TEST_SUITE_P(
    Cells, Repeated,
    ::testing::Values(
        Case{"Verlet", {}},
        Case{"LangevinSites", {.integrator = IntegratorKind::langevin, .sites = true}},
        Case{"AcrossFaces", {.restraints = true}, {2, 1, 1}, true},
        Case{"TiltedAcrossFaces", {.restraints = true, .tilted = true}, {1, 2, 1}, true},
        Case{"ConstantPressure",
             {.integrator = IntegratorKind::langevin,
              .restraints = true,
              .barostat = BarostatKind::stochastic_rescaling}}),
    [](const auto& tested) { return std::string(tested.param.name); });

/// Molecules across faces are other copies of atoms, but the same molecules.
TEST(RepeatedCell, HasTheEnergyOfItsMoleculesWhereverItsFacesAre) {
  const WaterJobOptions options{.precision = Precision::double_precision};
  const Energies whole = energies_of(job_of({"", options, {2, 1, 1}, false}));
  const Energies folded = energies_of(job_of({"", options, {2, 1, 1}, true}));
  ASSERT_EQ(whole.terms.size(), folded.terms.size());
  for (std::size_t i = 0; i < whole.terms.size(); ++i)
    // Positions differ by their rounding, 1e-15 of 100 bohr; so does the mesh's error, which moves
    // with the atoms over the points: 1e-4 of the reciprocal sum at this spacing.
    EXPECT_NEAR(folded.terms[i], whole.terms[i], 2e-4 * std::abs(whole.terms[i]) + 1e-9) << i;
}

/// Every copy has the forces of the only one, and the energy is as many times that.
TEST(RepeatedCell, HasTheForcesOfOneCellInEachCopy) {
  const WaterJobOptions options{.patches = {2, 2, 2}, .precision = Precision::double_precision};
  const Job one = water_job(options);
  const Energies single = energies_of(one);
  const Energies all = energies_of(repeated_job(one, {2, 1, 1}));
  const auto atoms = single.forces.size();
  ASSERT_EQ(all.forces.size(), 2 * atoms);
  for (std::size_t i = 0; i < single.terms.size(); ++i)
    // Sums in fixed point: a resolution of 2^-40 hartree for each of some hundred deposits.
    EXPECT_NEAR(all.terms[i], 2 * single.terms[i], 1e-9 * std::abs(single.terms[i]) + 1e-9) << i;
  for (std::size_t i = 0; i < all.forces.size(); ++i)
    // Positions of a copy are rounded at 1e-15 of 100 bohr, and bonds have 0.3 hartree/bohr^2.
    EXPECT_NEAR(norm(all.forces[i] - single.forces[i % atoms]), 0, 1e-10) << i;
}

}  // namespace
}  // namespace fg::test
