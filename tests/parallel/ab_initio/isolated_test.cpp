// SPDX-License-Identifier: BSD-3-Clause
//
// Ground states of a molecule without images: the same bits on any PEs, the same energy for any
// division into objects and any place in the cell, forces against differences of energies.
#include <gtest/gtest.h>

#include <string>

#include "support/ab_initio/ground_states.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

/// Silicon hydride and hydrogen in a cell that is large enough for the electrostatics to be exact
/// for most of the density.
Job isolated_job(const std::string& functional = "PW92") {
  Job job = gth_job(functional);
  job.isolated = true;
  job.positions[5] = {3.6, 3.4, 4.0};
  job.positions[6] = {4.0, 4.2, 5.1};
  job.cell.vectors = {Vec3{15.0, 0.3, 0.1}, Vec3{0.5, 14.6, -0.4}, Vec3{-0.3, 0.7, 15.4}};
  job.electrons.cutoff = 2.5;
  job.electrons.grid = {24, 24, 24};
  job.ground_state.tolerance = 1e-10;
  return job;
}

TEST(IsolatedGroundState, HasTheSameBitsOnAnyPesAndMaps) {
  for (const ab_initio::DivisionSettings& division :
       {ab_initio::DivisionSettings{5, 1, 1}, {2, 2, 6}, {2, 2, 6, 1, 0, 1, 5}}) {
    Job job = isolated_job("PBE");
    job.division = division;
    job.ground_state.iterations = 4;
    const GroundState one = find_ground_state(job);
    for (const int pes : {2, 3})
      for (const char* map : {"block", "hashed"}) {
        const GroundState other = find_ground_state(job, pes, map);
        EXPECT_EQ(other.digest, one.digest) << pes << " " << map;
        ASSERT_TRUE(one.dipole && other.dipole);
        EXPECT_EQ(*other.dipole, *one.dipole);
        EXPECT_EQ(other.outside, one.outside);
      }
  }
}

TEST(IsolatedGroundState, HasTheSameEnergyForAnyDivisionIntoObjects) {
  const GroundState whole = find_ground_state(isolated_job());
  Job job = isolated_job();
  job.division = {3, 2, 4};
  const GroundState state = find_ground_state(job, 2);
  EXPECT_NEAR(state.energies.total(), whole.energies.total(), 1e-11);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR((*state.dipole)[axis], (*whole.dipole)[axis], 1e-7);
}

TEST(IsolatedGroundState, HasTheForcesOfItsEnergyAndNoStress) {
  const Job job = isolated_job("BLYP");
  const GroundState state = find_ground_state(job);
  EXPECT_EQ(state.stress, (std::array<double, 9>{}));
  for (const auto& [ion, axis] : {std::pair{0, 0}, {1, 2}, {5, 1}}) {
    const auto energy = [&](double by) {
      Job moved = job;
      moved.positions[static_cast<std::size_t>(ion)][axis] += by;
      return find_ground_state(moved).energies.total();
    };
    // Differences of four points: the error is of fourth order in the step.
    const double h = 0.002;
    const double slope =
        (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    EXPECT_NEAR(state.forces[static_cast<std::size_t>(ion)][axis], -slope, 1e-8)
        << "ion " << ion << ", axis " << axis;
  }
}

TEST(IsolatedGroundState, IsTheSameAcrossAFaceOfTheCell) {
  // By whole steps of the grid, so that nothing else changes.
  const Job job = isolated_job();
  Job moved = job;
  const Vec3 by = job.cell.vectors[0] * (7.0 / 24) - job.cell.vectors[2] * (5.0 / 24);
  for (Vec3& r : moved.positions) r += by;
  moved.positions[3] -= job.cell.vectors[1];
  const GroundState one = find_ground_state(job), other = find_ground_state(moved);
  EXPECT_NEAR(one.energies.total(), other.energies.total(), 1e-11);
  for (int axis = 0; axis < 3; ++axis)
    EXPECT_NEAR((*one.dipole)[axis], (*other.dipole)[axis], 1e-7);
}

TEST(IsolatedGroundState, IsTheSameWithSplines) {
  Job job = isolated_job();
  const GroundState exact = find_ground_state(job);
  job.nonlocal = {ab_initio::IonMethod::splines, 10, {24, 24, 24}};
  job.local = {ab_initio::IonMethod::splines, 10, {45, 45, 45}};
  const GroundState state = find_ground_state(job);
  // The largest indices are 5 of 24 and 10 of 45: relative errors of the shortest waves are
  // 2 (5 / 19)^10 = 3e-6 and less, of products below 1 hartree.
  EXPECT_NEAR(state.energies.total(), exact.energies.total(), 3e-6);
  EXPECT_NE(state.digest, exact.digest);
  for (std::size_t i = 0; i < state.forces.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_NEAR(state.forces[i][axis], exact.forces[i][axis], 3e-6);
  job.division = {2, 2, 6};
  EXPECT_NEAR(find_ground_state(job, 3, "hashed").energies.total(), state.energies.total(), 1e-11);
}

}  // namespace
}  // namespace fg::test
