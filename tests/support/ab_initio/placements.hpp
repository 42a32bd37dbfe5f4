// SPDX-License-Identifier: BSD-3-Clause
//
// Jobs in which everything that depends on the positions of ions is in use, and the same jobs with
// other positions.
#pragma once

#include <gtest/gtest.h>

#include <ostream>
#include <string>
#include <vector>

#include "ab_initio/results/ground_state.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {

struct PlacementCase {
  const char* name;
  ab_initio::IonMethod ions = ab_initio::IonMethod::exact;
  bool spin = false, isolated = false;
  ab_initio::StartKind start = ab_initio::StartKind::atomic;
  ab_initio::DivisionSettings division = {2, 2, 4};

  ab_initio::Job job() const {
    ab_initio::Job job = with_core(spin ? spin_job("PBE") : gth_job("PBE"));
    if (isolated) {
      // So large that the electrons stay away from the faces.
      job.isolated = true;
      for (std::size_t i = 5; i < job.positions.size(); ++i) job.positions[i] -= Vec3{1, 1, 1};
      job.cell.vectors = {Vec3{15.0, 0.3, 0.1}, Vec3{0.5, 14.6, -0.4}, Vec3{-0.3, 0.7, 15.4}};
      job.electrons.cutoff = 2.5;
      job.electrons.grid = {24, 24, 24};
      job.nonlocal.grid = {18, 18, 18};
      job.local.grid = {35, 35, 35};
    }
    job.nonlocal.method = job.local.method = ions;
    job.ground_state.start = start;
    job.ground_state.iterations = 4;
    job.division = division;
    job.writes_density = true;
    return job;
  }
  friend std::ostream& operator<<(std::ostream& out, const PlacementCase& one) {
    return out << one.name;
  }
};

inline std::vector<PlacementCase> placement_cases() {
  using ab_initio::IonMethod;
  return {
      {"Exact"},
      {.name = "ExactFromRandom", .start = ab_initio::StartKind::random, .division = {5, 1, 1}},
      {.name = "Splines", .ions = IonMethod::splines},
      {.name = "Spin", .spin = true},
      {.name = "SpinBySplines", .ions = IonMethod::splines, .spin = true, .division = {3, 3, 6}},
      {.name = "SpinBySplinesInPieces",
       .ions = IonMethod::splines,
       .spin = true,
       .division = {3, 3, 6, 2, 0, 2, 4}},
      {.name = "Isolated", .isolated = true},
      {.name = "IsolatedInPieces", .isolated = true, .division = {2, 2, 4, 1, 0, 2, 5}},
      {.name = "IsolatedBySplines", .ions = IonMethod::splines, .isolated = true}};
}

/// All ions somewhere else.
inline ab_initio::Job moved_job(ab_initio::Job job) {
  for (std::size_t i = 0; i < job.positions.size(); ++i) {
    const double by = 0.02 * static_cast<double>(i + 1);
    job.positions[i] += Vec3{by, 0.1 - by, 0.5 * by};
  }
  return job;
}

inline void expect_same_state(const ab_initio::GroundState& state,
                              const ab_initio::GroundState& expected, const std::string& what) {
  EXPECT_EQ(state.digest, expected.digest) << what;
  EXPECT_EQ(state.energies.terms(), expected.energies.terms()) << what;
  EXPECT_EQ(state.forces, expected.forces) << what;
  EXPECT_EQ(state.stress, expected.stress) << what;
  EXPECT_EQ(state.eigenvalues, expected.eigenvalues) << what;
  EXPECT_EQ(state.density, expected.density) << what;
  EXPECT_EQ(state.spin_density, expected.spin_density) << what;
  EXPECT_EQ(state.magnetization, expected.magnetization) << what;
  EXPECT_EQ(state.dipole, expected.dipole) << what;
  EXPECT_EQ(state.outside, expected.outside) << what;
  ASSERT_EQ(state.history.size(), expected.history.size()) << what;
  for (std::size_t i = 0; i < state.history.size(); ++i) {
    EXPECT_EQ(state.history[i].energy, expected.history[i].energy) << what << ", " << i;
    EXPECT_EQ(state.history[i].residual, expected.history[i].residual) << what << ", " << i;
  }
}

}  // namespace fg::test
