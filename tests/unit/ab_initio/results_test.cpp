// SPDX-License-Identifier: BSD-3-Clause
//
// ground_state.h5 is read back as it was written; the digest tells any bit of a state.
#include "ab_initio/results.hpp"

#include <gtest/gtest.h>

#include <bit>
#include <complex>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "records/hdf5/hdf5.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "unit/records/job_file.hpp"

namespace fg::test {
namespace {

using ab_initio::GroundState;
using ab_initio::Job;

GroundState made_state(const Job& job) {
  GroundState state;
  state.converged = true;
  state.energies = {.kinetic = 1,
                    .hartree = 2,
                    .local = -3,
                    .alpha = 0.25,
                    .nonlocal = 0.5,
                    .exchange_correlation = -4,
                    .ewald = -5};
  state.history = {{.number = 0, .energy = -8, .residual = 0.1, .seconds = 1},
                   {.number = 1, .energy = -8.25, .residual = 0.01, .seconds = 2}};
  // Not where the job has them, in a cell that is not the job's either.
  state.cell = job.cell;
  state.cell.vectors[0].x += 0.5;
  for (const Vec3& position : job.positions) state.positions.push_back(position + Vec3{1, 2, 3});
  for (std::size_t i = 0; i < job.positions.size(); ++i)
    state.forces.push_back({0.1 * static_cast<double>(i), -1, 2});
  for (std::size_t i = 0; i < 9; ++i) state.stress[i] = 1e-4 * static_cast<double>(i);
  state.eigenvalues = {-0.5, -0.4, -0.3, -0.2, -0.1};
  state.digest = std::string(64, 'd');
  return state;
}

TEST(GroundStateFile, IsReadBackAsItWasWritten) {
  const TestFolder folder;
  const std::string path = folder / "ground_state.h5";
  Job job = gth_job();
  job.electrons.grid = {2, 3, 4};
  GroundState state = made_state(job);
  for (int i = 0; i < 24; ++i) state.density.push_back(i);
  ab_initio::save_ground_state(path, job, state);
  {
    const h5::Reader file(path);
    EXPECT_EQ(file.text("/", "format"), "finegrain-ground-state");
    EXPECT_EQ(file.number<std::int64_t>("/", "version"), 1);
    EXPECT_EQ(file.text("/", "units"), "Hartree atomic units");
    EXPECT_EQ(file.text("/", "title"), job.title);
    EXPECT_EQ(file.text("/", "functional"), "PW92");
    EXPECT_EQ(file.number<std::int32_t>("/", "converged"), 1);
    EXPECT_EQ(file.number<std::int64_t>("/", "iterations"), 1);
    EXPECT_EQ(file.number<double>("/", "residual"), 0.01);
    EXPECT_EQ(file.number<double>("/", "energy"), -8.25);
    EXPECT_EQ(file.text("/", "state_digest"), state.digest);
    const h5::Handle exchange = file.open("/energies/exchange_correlation");
    double value = 0;
    H5Dread(exchange.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    EXPECT_EQ(value, -4);
    const h5::Handle total = file.open("/energies/total");
    H5Dread(total.get(), H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, &value);
    EXPECT_EQ(value, -8.25);
    for (const auto& [name, energy] : state.energies.terms())
      EXPECT_TRUE(file.has("/energies/" + name));
    const auto forces = file.array<double>("/forces", {3});
    ASSERT_EQ(forces.size(), 21U);
    EXPECT_EQ(forces[3], 0.1);
    EXPECT_EQ(forces[20], 2);
    const auto positions = file.array<double>("/ions/position", {3});
    ASSERT_EQ(positions.size(), 21U);
    EXPECT_EQ(positions[19], job.positions[6].y + 2);
    const auto stress = file.array<double>("/stress", {3});
    EXPECT_EQ(stress, std::vector<double>(state.stress.begin(), state.stress.end()));
    EXPECT_EQ(file.array<double>("/eigenvalues"), state.eigenvalues);
    EXPECT_EQ(file.array<double>("/history", {3}),
              (std::vector<double>{-8, 0.1, 1, -8.25, 0.01, 2}));
    EXPECT_EQ(file.array<double>("/density", {3, 4}), state.density);
    const auto cell = file.array<double>("/cell/vectors", {3});
    EXPECT_EQ(cell[0], job.cell.vectors[0].x + 0.5);
    EXPECT_EQ(cell[1], 0.2);
    EXPECT_EQ(file.array<double>("/ions/position", {3})[3], 2.9);
    EXPECT_EQ(file.strings("/ions/symbol"),
              (std::vector<std::string>{"Si", "H", "H", "H", "H", "H", "H"}));
  }
  // The next result replaces it.
  state.density.clear();
  state.converged = false;
  ab_initio::save_ground_state(path, job, state);
  const h5::Reader file(path);
  EXPECT_FALSE(file.has("/density"));
  EXPECT_EQ(file.number<std::int32_t>("/", "converged"), 0);
}

TEST(GroundStateFile, ThatCannotBeWrittenIsAnErrorWithItsPath) {
  const TestFolder folder;
  const Job job = gth_job();
  const std::string path = folder / "missing/ground_state.h5";
  try {
    ab_initio::save_ground_state(path, job, made_state(job));
    FAIL() << "it was written";
  } catch (const ResourceError& error) {
    EXPECT_NE(std::string(error.what()).find(path), std::string::npos) << error.what();
  }
}

TEST(StateDigest, ChangesWithTheLastBitOfAnyCoefficient) {
  const std::vector<std::complex<double>> block{{0.1, 0.2}, {0, -0.4}, {0.5, 1e-300}};
  const std::string digest = ab_initio::coefficients_digest(block);
  EXPECT_EQ(digest.size(), 64U);
  for (std::size_t i = 0; i < block.size(); ++i)
    for (const bool imaginary : {false, true}) {
      auto other = block;
      double& number = reinterpret_cast<double*>(&other[i])[imaginary ? 1 : 0];
      number = std::bit_cast<double>(std::bit_cast<std::uint64_t>(number) ^ 1);
      EXPECT_NE(ab_initio::coefficients_digest(other), digest);
    }
  EXPECT_EQ(ab_initio::coefficients_digest(block), digest);
}

TEST(StateDigest, ChangesWithAnyPartEnergyForceOrStress) {
  const Job job = gth_job();
  const GroundState state = made_state(job);
  const std::vector<std::string> parts{"a", "b"};
  const std::string digest = ab_initio::state_digest(parts, state);
  EXPECT_NE(ab_initio::state_digest(std::vector<std::string>{"b", "a"}, state), digest);
  const auto changed = [&](const std::function<double&(GroundState&)>& number) {
    GroundState other = state;
    double& one = number(other);
    one = std::bit_cast<double>(std::bit_cast<std::uint64_t>(one) ^ 1);
    return ab_initio::state_digest(parts, other) != digest;
  };
  using Energies = ab_initio::Energies;
  for (double Energies::*term :
       {&Energies::kinetic, &Energies::hartree, &Energies::local, &Energies::alpha,
        &Energies::nonlocal, &Energies::exchange_correlation, &Energies::ewald})
    EXPECT_TRUE(changed([=](GroundState& s) -> double& { return s.energies.*term; }));
  for (std::size_t ion = 0; ion < state.forces.size(); ++ion)
    for (int axis = 0; axis < 3; ++axis)
      EXPECT_TRUE(changed([=](GroundState& s) -> double& { return s.forces[ion][axis]; }));
  for (std::size_t i = 0; i < 9; ++i)
    EXPECT_TRUE(changed([=](GroundState& s) -> double& { return s.stress[i]; }));
  // Not with the time that it took.
  EXPECT_FALSE(changed([](GroundState& s) -> double& { return s.history[1].seconds; }));
}

}  // namespace
}  // namespace fg::test
