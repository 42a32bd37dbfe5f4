// SPDX-License-Identifier: BSD-3-Clause
//
// The measured way to exchange: all processes take the same one, it is remembered, and a file that
// is damaged, or says what cannot be, does no harm. Every process runs every test.
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "base/error.hpp"
#include "fft/exchange_memory.hpp"
#include "fft/mpi/mpi_transform.hpp"
#include "support/fft/cache_of_a_test.hpp"

namespace fg::fft {
namespace {

int number_of(int (*function)(MPI_Comm, int*)) {
  int value = 0;
  function(MPI_COMM_WORLD, &value);
  return value;
}

MpiTransformSettings settings_of(const Grid& grid) {
  const int ranks = number_of(MPI_Comm_size);
  const auto mine = static_cast<std::size_t>(number_of(MPI_Comm_rank));
  const Layout points = dense(pencils(grid, 2, {1, ranks})[mine]);
  const Layout waves = dense(bricks(grid, {1, ranks, 1})[mine]);
  return {.grid = grid,
          .points = {points, points.extent()},
          .waves = {waves, waves.extent()},
          .travel = Travel::measured};
}

Exchanging exchanging_of(const Grid& grid) {
  return MpiTransform<double>(MPI_COMM_WORLD, settings_of(grid)).exchanging();
}

void expect_the_same_on_all(const Exchanging& how) {
  const std::array<int, 4> mine{static_cast<int>(how.travel), how.parts[0], how.parts[1],
                                how.measured_now ? 1 : 0};
  std::array<int, 4> first = mine;
  MPI_Bcast(first.data(), 4, MPI_INT, 0, MPI_COMM_WORLD);
  EXPECT_EQ(mine, first);
  EXPECT_NE(how.travel, Travel::measured);
  EXPECT_EQ(how.parts[0] * how.parts[1], number_of(MPI_Comm_size));
}

std::string text_of_file() {
  std::ifstream stream(exchange_file());
  return {std::istreambuf_iterator<char>(stream), {}};
}

/// Rank 0 writes the file.
void write(const std::string& text) {
  if (number_of(MPI_Comm_rank) == 0) {
    std::filesystem::create_directories(exchange_file().parent_path());
    std::ofstream(exchange_file()) << text;
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(SeveralProcesses, MeasureOnceAndRemember) {
  const Exchanging first = exchanging_of({12, 10, 8});
  expect_the_same_on_all(first);
  EXPECT_TRUE(first.measured_now);
  EXPECT_EQ(first.note, "");
  const Exchanging again = exchanging_of({12, 10, 8});
  expect_the_same_on_all(again);
  EXPECT_FALSE(again.measured_now);
  EXPECT_EQ(again.travel, first.travel);
  EXPECT_EQ(again.parts, first.parts);
  EXPECT_TRUE(exchanging_of({12, 10, 9}).measured_now);  // another grid
  EXPECT_NE(text_of_file().find("12 x 10 x 8 complex double"), std::string::npos);
}

TEST(SeveralProcesses, TakeWhatTheFileSaysIfItCanBe) {
  const Grid grid{6, 7, 8};
  exchanging_of(grid);
  const std::string text = text_of_file();
  const std::string key = text.substr(text.rfind("\"C++") + 1);
  const std::string name = key.substr(0, key.find('"'));
  const int ranks = number_of(MPI_Comm_size);
  for (const char* travel : {"collective", "messages"}) {
    if (number_of(MPI_Comm_rank) == 0)
      remember_exchange(exchange_file(), name, {travel, {1, ranks}, {}});
    MPI_Barrier(MPI_COMM_WORLD);
    const Exchanging how = exchanging_of(grid);
    expect_the_same_on_all(how);
    EXPECT_FALSE(how.measured_now);
    EXPECT_EQ(how.travel == Travel::messages ? "messages" : "collective", std::string(travel));
  }
  // Parts that make another number of ranks, as after an edit by hand.
  if (number_of(MPI_Comm_rank) == 0)
    remember_exchange(exchange_file(), name, {"messages", {ranks + 1, 1}, {}});
  MPI_Barrier(MPI_COMM_WORLD);
  EXPECT_TRUE(exchanging_of(grid).measured_now);
}

TEST(SeveralProcesses, SayOnRankZeroThatTheFileIsDamagedAndLeaveItAlone) {
  write("{ this is no JSON");
  for (int round = 0; round < 2; ++round) {
    const Exchanging how = exchanging_of({5, 6, 7});
    expect_the_same_on_all(how);
    EXPECT_TRUE(how.measured_now);
    EXPECT_EQ(how.note.empty(), number_of(MPI_Comm_rank) != 0) << how.note;
  }
  EXPECT_EQ(text_of_file(), "{ this is no JSON");
  MPI_Barrier(MPI_COMM_WORLD);
  if (number_of(MPI_Comm_rank) == 0) std::filesystem::remove(exchange_file());
  MPI_Barrier(MPI_COMM_WORLD);
}

TEST(SeveralProcesses, RefuseBadSettingsBeforeTheyMeasure) {
  MpiTransformSettings settings = settings_of({4, 4, 4});
  if (number_of(MPI_Comm_rank) == 1) settings.batch = 2;
  EXPECT_THROW(MpiTransform<double>(MPI_COMM_WORLD, settings), InputError);
  settings = settings_of({4, 4, 4});
  if (number_of(MPI_Comm_rank) == 1) settings.points.layout.stride[2] = 0;
  EXPECT_THROW(MpiTransform<double>(MPI_COMM_WORLD, settings), InputError);
  settings = settings_of({4, 4, 4});
  if (number_of(MPI_Comm_rank) == 1) settings.travel = Travel::messages;
  EXPECT_THROW(MpiTransform<double>(MPI_COMM_WORLD, settings), InputError);
}

TEST(MpiTransforms, OneProcessMeasuresNothing) {
  const MpiTransformSettings settings{.grid = {4, 4, 4},
                                      .points = {dense(whole({4, 4, 4})), 64},
                                      .waves = {dense(whole({4, 4, 4})), 64},
                                      .travel = Travel::measured};
  const MpiTransform<float> alone(MPI_COMM_SELF, settings);
  EXPECT_FALSE(alone.exchanging().measured_now);
  EXPECT_EQ(alone.exchanging().travel, Travel::messages);
}

}  // namespace
}  // namespace fg::fft
