// SPDX-License-Identifier: BSD-3-Clause
//
// Empty orbitals: the same bits on any PEs and maps, the same energies for any division into
// objects; the occupied ones are found again; what is empty if electrons are not in the lowest.
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "ab_initio/division/more_orbitals.hpp"
#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

Job job_with_empty(bool spin, const std::string& functional = "PW92") {
  Job job = spin ? spin_job(functional) : gth_job(functional);
  job.electrons.empty_up = 3;
  job.electrons.empty_down = spin ? 4 : 0;
  return job;
}

TEST(EmptyOrbitals, HaveTheSameBitsOnAnyPesAndMaps) {
  for (const bool spin : {false, true}) {
    Job job = job_with_empty(spin, "PBE");
    job.division = {2, 2, 4};
    const GroundState one = find_ground_state(job);
    ASSERT_TRUE(one.empty && one.empty->converged);
    for (const int pes : {2, 3})
      for (const char* map : {"block", "hashed"}) {
        const GroundState other = find_ground_state(job, pes, map);
        EXPECT_EQ(other.digest, one.digest);
        EXPECT_EQ(other.empty->energies, one.empty->energies) << pes << map;
      }
  }
}

TEST(EmptyOrbitals, HaveTheSameEnergiesForAnyDivisionAndStart) {
  for (const bool spin : {false, true}) {
    Job job = job_with_empty(spin);
    job.division = {9, 1, 1};
    const GroundState whole = find_ground_state(job);
    ASSERT_EQ(whole.empty->energies.size(), spin ? 7U : 3U);
    EXPECT_EQ(whole.empty->up, 3);
    EXPECT_GT(whole.empty->gap, 0.1);
    for (const ab_initio::DivisionSettings& division : {ab_initio::DivisionSettings{1, 1, 1},
                                                        {3, 2, 4},
                                                        {2, 1, 2, 2, 3},
                                                        {3, 2, 4, 1, 0, 2, 3}}) {
      job.division = division;
      job.ground_state.start = ab_initio::StartKind::atomic;
      const GroundState state = find_ground_state(job, 2);
      for (std::size_t i = 0; i < whole.empty->energies.size(); ++i)
        EXPECT_NEAR(state.empty->energies[i], whole.empty->energies[i], 1e-6);  // found 3e-7
      EXPECT_NEAR(state.empty->gap, whole.empty->gap, 1e-6);
    }
  }
}

/// The ways are splines, and a molecule without images.
TEST(EmptyOrbitals, AreFoundWithAllWaysToMeetIons) {
  Job job = job_with_empty(false);
  const GroundState exact = find_ground_state(job);
  job.nonlocal.method = job.local.method = ab_initio::IonMethod::splines;
  const GroundState splines = find_ground_state(job);
  EXPECT_NEAR(splines.empty->gap, exact.empty->gap, 1e-3);
}

/// One spin has no electrons: all of its orbitals are empty.
TEST(EmptyOrbitals, OfASpinWithoutElectronsAreFound) {
  Job job = spin_job();
  job.positions = {{0.1, 0.2, 0.3}};
  job.species_of = {1};
  job.masses = {1837};
  job.moments = {1};
  job.electrons.bands = job.electrons.bands_up = 1;
  job.electrons.empty_up = 1;
  job.electrons.empty_down = 2;
  const GroundState state = find_ground_state(job);
  ASSERT_TRUE(state.empty->converged);
  EXPECT_EQ(state.empty->up, 1);
  ASSERT_EQ(state.empty->energies.size(), 3U);
  EXPECT_NEAR(state.empty->gap,
              std::min(state.empty->energies[0], state.empty->energies[1]) - state.eigenvalues[0],
              1e-15);
}

TEST(EmptyOrbitals, AreThoseThatAreNotOccupied) {
  Job job = gth_job();
  job.electrons.bands = 2;
  job.electrons.empty_up = 2;
  job.electrons.empty_down = 0;
  GroundState lowest;
  lowest.converged = true;
  lowest.history = {{.number = 7}};
  lowest.eigenvalues = {-0.5, -0.3, -0.2, 0.1};
  const auto right = ab_initio::empty_orbitals(job, {-0.5, -0.3}, lowest);
  EXPECT_EQ(right.energies, (std::vector<double>{-0.2, 0.1}));
  EXPECT_NEAR(right.gap, 0.1, 1e-15);
  EXPECT_EQ(right.iterations, 7);
  const auto wrong = ab_initio::empty_orbitals(job, {-0.5, -0.2}, lowest);
  EXPECT_EQ(wrong.energies, (std::vector<double>{-0.3, 0.1}));
  EXPECT_NEAR(wrong.gap, -0.1, 1e-15);
  // An occupied one above all that were looked for.
  const auto far = ab_initio::empty_orbitals(job, {-0.5, 0.4}, lowest);
  EXPECT_EQ(far.energies, (std::vector<double>{-0.3, -0.2, 0.1}));
  EXPECT_NEAR(far.gap, -0.7, 1e-15);
}

}  // namespace
}  // namespace fg::test
