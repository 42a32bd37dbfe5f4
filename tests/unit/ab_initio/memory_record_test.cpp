// SPDX-License-Identifier: BSD-3-Clause
//
// What process 0 keeps of a step in memory is read back bit for bit, and a shorter record is
// refused.
#include "ab_initio/checkpoints/memory_record.hpp"

#include <gtest/gtest.h>

#include "base/error.hpp"

namespace fg::ab_initio {
namespace {

DynamicsState state() {
  return {.step = 7,
          .time = 0.1,
          .seconds = 2.5,
          .conserved_at_start = -3.25,
          .positions = {{1, 2, 3}, {4, 5, 1.0 / 3}},
          .velocities = {{1e-5, 0, -2}, {0, 3, 0}},
          .ion_bath = {.chain = {.positions = {1, 2}, .velocities = {3, 4}}, .heat = 0.5},
          .cell = {{Vec3{10, 0, 0}, Vec3{1, 9, 0}, Vec3{0, 0, 8}}},
          .cell_motion = {.velocities = {Vec3{1, 2, 3}, Vec3{4, 5, 6}, Vec3{7, 8, 9}}, .heat = 2},
          .electron_bath = {.positions = {5}, .velocities = {6}},
          .fictitious_kinetic = 0.001,
          .velocity_scale = 1.0 / 7,
          .was_reset = true,
          .past = 5};
}

std::vector<std::byte> record_of(const SearchState& search, const DynamicsState& dynamics,
                                 std::span<const double> energies) {
  ByteWriter bytes;
  put_record(bytes, search, dynamics, energies);
  return std::move(bytes).take();
}

TEST(MemoryRecord, ComesBackAsItWas) {
  const SearchState search{
      .history = {{.number = 0, .energy = -1.5, .residual = 0.1, .seconds = 1},
                  {.number = 1, .energy = -1.75, .residual = 0.01, .seconds = 2}},
      .converged = true};
  const std::vector<double> energies{1, 2, 2, -1.0 / 3};
  const KeptStep back = kept_step(record_of(search, state(), energies));
  EXPECT_EQ(back.dynamics, state());
  EXPECT_EQ(back.energies, energies);
  EXPECT_TRUE(back.search.converged);
  ASSERT_EQ(back.search.history.size(), 2u);
  EXPECT_EQ(back.search.history[1].energy, -1.75);
  EXPECT_EQ(back.search.iteration(), 1);
}

TEST(MemoryRecord, OneThatIsCutShortOrTooLongIsRefused) {
  auto record = record_of({}, state(), std::vector<double>{1});
  for (std::size_t size = 0; size < record.size(); ++size)
    EXPECT_THROW(kept_step(std::span(record).first(size)), InternalError) << size;
  record.push_back({});
  EXPECT_THROW(kept_step(record), InternalError);
}

TEST(MemoryRecord, ThatOfAnotherStepTakesTheSameMemory) {
  ByteWriter bytes;
  put_record(bytes, {}, state(), std::vector<double>{1, 2, 3, 4});
  const std::byte* const there = bytes.bytes().data();
  bytes.clear();
  DynamicsState later = state();
  later.step = 8;
  put_record(bytes, {}, later, std::vector<double>{5, 6, 7, 8});
  EXPECT_EQ(bytes.bytes().data(), there);
  EXPECT_EQ(kept_step(bytes.bytes()).dynamics, later);
  EXPECT_EQ(kept_step(bytes.bytes()).energies, (std::vector<double>{5, 6, 7, 8}));
}

}  // namespace
}  // namespace fg::ab_initio
