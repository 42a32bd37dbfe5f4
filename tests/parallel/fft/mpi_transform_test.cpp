// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms over the processes of MPI: they have the bits of one process, may go on at the same
// time, and what one process does wrong ends on all of them with one message. Every process runs
// every test.
#include "fft/mpi/mpi_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <memory>
#include <vector>

#include "base/error.hpp"
#include "fft/mpi/communicator_copy.hpp"
#include "support/fft/cache_of_a_test.hpp"
#include "support/fft/numbered_points.hpp"

namespace fg::fft {
namespace {

using Complex = std::complex<double>;

int ranks() {
  return test::ranks_of_mpi();
}
int rank() {
  return test::rank_of_mpi();
}

std::vector<Complex> numbers_of(const GridBox& box, int batch) {
  std::vector<Complex> values;
  for (int field = 0; field < batch; ++field)
    test::for_each_point(box,
                         [&](const test::Point& p) { values.push_back(test::number(p, field)); });
  return values;
}

/// The waves that one rank alone would compute.
std::vector<Complex> waves_of_one_rank(const Grid& grid, int batch) {
  const Storage all = dense_storage(whole(grid));
  RankTransform<double> alone(
      std::make_shared<TransformPlan>(TransformBoxes{grid, {}, {whole(grid)}, {whole(grid)}, {}}),
      0, all, all, batch);
  std::vector<Complex> values = numbers_of(whole(grid), batch);
  alone.begin(Direction::forward, values.data(), values.data());
  return values;
}

/// One transform of this rank, and its arrays.
struct Mine {
  Mine(const Grid& grid, const std::vector<GridBox>& points, const std::vector<GridBox>& waves,
       int batch, Travel travel, MPI_Comm comm = MPI_COMM_WORLD)
      : grid(grid),
        batch(batch),
        points_box(points[static_cast<std::size_t>(rank())]),
        waves_box(waves[static_cast<std::size_t>(rank())]),
        transform(comm, {.grid = grid,
                         .points = dense_storage(points_box),
                         .waves = dense_storage(waves_box),
                         .batch = batch,
                         .travel = travel}),
        points(numbers_of(points_box, batch)),
        waves(dense_storage(waves_box).distance * static_cast<std::size_t>(batch)) {}

  void expect_waves_of_one_rank() const {
    const std::vector<Complex> alone = waves_of_one_rank(grid, batch);
    const Layout all = dense(whole(grid));
    std::size_t at = 0;
    for (int field = 0; field < batch; ++field)
      for (int x = waves_box.low[0]; x < waves_box.high[0]; ++x)
        for (int y = waves_box.low[1]; y < waves_box.high[1]; ++y)
          for (int z = waves_box.low[2]; z < waves_box.high[2]; ++z, ++at) {
            const auto place = static_cast<std::size_t>(field) * all.extent() +
                               static_cast<std::size_t>(all.at({x, y, z}));
            ASSERT_EQ(waves[at], alone[place]) << x << " " << y << " " << z;
          }
  }
  void expect_points_again() const {
    const std::vector<Complex> were = numbers_of(points_box, batch);
    const double all = static_cast<double>(whole(grid).volume());
    for (std::size_t i = 0; i < were.size(); ++i)
      ASSERT_LT(std::abs(points[i] / all - were[i]), 1e-14) << i;
  }

  Grid grid;
  int batch;
  GridBox points_box, waves_box;
  MpiTransform<double> transform;
  std::vector<Complex> points, waves;
};

class Travels : public ::testing::TestWithParam<Travel> {};

TEST_P(Travels, WavesHaveTheBitsOfOneRank) {
  const int p = ranks();
  for (const Grid& grid : {Grid{12, 10, 9}, {2, 3, 1}, {1, 1, 16}}) {
    std::vector<GridBox> last_has_all(static_cast<std::size_t>(p));
    last_has_all.back() = whole(grid);
    for (const auto& [points, waves] :
         {std::pair{pencils(grid, 2, {p, 1}), pencils(grid, 0, {1, p})},
          std::pair{bricks(grid, {1, p, 1}), slabs(grid, 2, p)},
          std::pair{last_has_all, slabs(grid, 0, p)}}) {
      Mine mine(grid, points, waves, 2, GetParam());
      for (int round = 0; round < 3; ++round) {
        mine.points = numbers_of(mine.points_box, 2);
        mine.transform.forward(mine.points.data(), mine.waves.data());
        mine.expect_waves_of_one_rank();
        mine.transform.backward(mine.waves.data(), mine.points.data());
        mine.expect_points_again();
      }
    }
  }
}

TEST_P(Travels, GroupsOfALargeBatchHaveTheBitsOfOneRank) {
  const Grid grid{32, 31, 33};
  const int p = ranks(), batch = 7;  // groups of one or two, and what is left over
  const std::vector<GridBox> points = slabs(grid, 0, p), waves = slabs(grid, 1, p);
  Mine mine(grid, points, waves, batch, GetParam());
  for (int round = 0; round < 2; ++round) {
    mine.points = numbers_of(mine.points_box, batch);
    mine.transform.forward(mine.points.data(), mine.waves.data());
    mine.expect_waves_of_one_rank();
    mine.transform.backward(mine.waves.data(), mine.points.data());
    mine.expect_points_again();
  }

  // Both in one array, in which a field of points and one of waves may begin at different places.
  std::vector<Complex> both = numbers_of(mine.points_box, batch);
  both.resize(std::max(both.size(), mine.waves.size()));
  mine.transform.forward(both.data(), both.data());
  mine.waves.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(mine.waves.size()));
  mine.expect_waves_of_one_rank();
  mine.transform.backward(both.data(), both.data());
  mine.points.assign(both.begin(), both.begin() + static_cast<std::ptrdiff_t>(mine.points.size()));
  mine.expect_points_again();
}

INSTANTIATE_TEST_SUITE_P(All, Travels,
                         ::testing::Values(Travel::messages, Travel::collective, Travel::measured),
                         [](const auto& info) {
                           return info.param == Travel::messages     ? "messages"
                                  : info.param == Travel::collective ? "collective"
                                                                     : "measured";
                         });

TEST_P(Travels, FloatOnTheWireIsCloseAndHalvesTheBytes) {
  const Grid grid{9, 8, 10};
  const auto mine = static_cast<std::size_t>(rank());
  const GridBox in = slabs(grid, 0, ranks())[mine], out = slabs(grid, 1, ranks())[mine];
  const MpiTransformSettings exact{
      .grid = grid, .points = dense_storage(in), .waves = dense_storage(out), .travel = GetParam()};
  MpiTransformSettings rounded = exact;
  rounded.wire = Wire::as_float;
  MpiTransform<double> one(MPI_COMM_WORLD, exact), other(MPI_COMM_WORLD, rounded);
  EXPECT_EQ(one.part().sent_bytes(), 2 * other.part().sent_bytes());
  const std::vector<Complex> points = numbers_of(in, 1);
  std::vector<Complex> waves(out.volume()), close(out.volume());
  one.forward(points.data(), waves.data());
  other.forward(points.data(), close.data());
  std::array<double, 2> squares{}, all{};
  for (std::size_t i = 0; i < waves.size(); ++i) {
    squares[0] += std::norm(waves[i] - close[i]);
    squares[1] += std::norm(waves[i]);
  }
  MPI_Allreduce(squares.data(), all.data(), 2, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  EXPECT_LE(std::sqrt(all[0] / all[1]), 0x1p-24);  // one exchange
}

TEST(MpiTransforms, ManyGoOnAtTheSameTimeInAnyOrderOfTests) {
  const Grid grid{8, 9, 10};
  std::vector<std::unique_ptr<Mine>> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(std::make_unique<Mine>(grid, slabs(grid, i % 3, ranks()),
                                         slabs(grid, (i + 1) % 3, ranks()), 1, Travel::messages));
  for (auto& one : all)
    one->transform.start(Direction::forward, one->points.data(), one->waves.data());
  std::size_t over = 0;
  while (over < all.size()) {
    over = 0;
    for (std::size_t i = 0; i < all.size(); ++i)  // another order on each rank
      over += all[(i + static_cast<std::size_t>(rank())) % all.size()]->transform.test() ? 1 : 0;
  }
  for (auto& one : all) one->expect_waves_of_one_rank();
}

TEST(MpiTransforms, OneObjectMakesOneTransformAtATime) {
  const Grid grid{4, 4, 4};
  const bool busy_after_start = ranks() > 1;
  Mine mine(grid, slabs(grid, 0, ranks()), slabs(grid, 1, ranks()), 1, Travel::collective);
  Mine other(grid, slabs(grid, 0, ranks()), slabs(grid, 1, ranks()), 1, Travel::collective);
  mine.transform.start(Direction::forward, mine.points.data(), mine.waves.data());
  if (busy_after_start) {
    EXPECT_THROW(mine.transform.start(Direction::forward, mine.points.data(), mine.waves.data()),
                 InternalError);
    EXPECT_THROW(other.transform.start(Direction::forward, other.points.data(), other.waves.data()),
                 InternalError);
  }
  mine.transform.wait();
  mine.expect_waves_of_one_rank();
  other.transform.forward(other.points.data(), other.waves.data());
  other.expect_waves_of_one_rank();
}

/// Its owner frees it while a transform goes on; the last transforms use it after that.
TEST_P(Travels, ACommunicatorMayBeFreedBeforeItsTransforms) {
  const Grid grid{12, 10, 9};
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  auto first = std::make_unique<Mine>(grid, slabs(grid, 0, ranks()), slabs(grid, 1, ranks()), 2,
                                      GetParam(), own);
  Mine second(grid, slabs(grid, 1, ranks()), slabs(grid, 2, ranks()), 1, GetParam(), own);
  first->transform.start(Direction::forward, first->points.data(), first->waves.data());
  MPI_Comm_free(&own);
  first->transform.wait();
  first->expect_waves_of_one_rank();
  first.reset();
  for (int round = 0; round < 2; ++round) {
    second.points = numbers_of(second.points_box, 1);
    second.transform.forward(second.points.data(), second.waves.data());
    second.expect_waves_of_one_rank();
    second.transform.backward(second.waves.data(), second.points.data());
    second.expect_points_again();
  }
}

int count_end(MPI_Comm, int, void* ends, void*) {
  ++*static_cast<int*>(ends);
  return MPI_SUCCESS;
}

/// A duplicate ends with the communicator or the last transform, whichever is later.
TEST(MpiTransforms, LeaveNoCommunicatorBehind) {
  const Grid grid{4, 4, 4};
  int key = MPI_KEYVAL_INVALID;
  MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, count_end, &key, nullptr);
  for (const bool transform_is_last : {false, true}) {
    int ends = 0;
    MPI_Comm own = MPI_COMM_NULL;
    MPI_Comm_dup(MPI_COMM_WORLD, &own);
    auto mine = std::make_unique<Mine>(grid, slabs(grid, 0, ranks()), slabs(grid, 1, ranks()), 1,
                                       Travel::messages, own);
    MPI_Comm_set_attr(copy_of(own)->comm, key, &ends);
    if (transform_is_last)
      MPI_Comm_free(&own);
    else
      mine.reset();
    EXPECT_EQ(ends, 0);
    if (transform_is_last)
      mine.reset();
    else
      MPI_Comm_free(&own);
    EXPECT_EQ(ends, 1);
  }
  MPI_Comm_free_keyval(&key);
}

/// One that lives until the program ends, after MPI.
TEST(MpiTransforms, MayEndAfterMpi) {
  const Grid grid{4, 4, 4};
  static std::unique_ptr<Mine> last;
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  last = std::make_unique<Mine>(grid, slabs(grid, 0, ranks()), slabs(grid, 1, ranks()), 1,
                                Travel::messages, own);
  MPI_Comm_free(&own);
  last->transform.forward(last->points.data(), last->waves.data());
  last->expect_waves_of_one_rank();
}

/// The message that every rank gets.
std::string refusal(const MpiTransformSettings& settings) {
  try {
    const MpiTransform<double> made(MPI_COMM_WORLD, settings);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.parts().hint.empty());
    return error.what();
  }
  return "accepted";
}

MpiTransformSettings good_settings() {
  const Grid grid{6, 6, 6};
  const auto mine = static_cast<std::size_t>(rank());
  return {.grid = grid,
          .points = dense_storage(slabs(grid, 0, ranks())[mine]),
          .waves = dense_storage(slabs(grid, 1, ranks())[mine])};
}

TEST(SeveralProcesses, ADifferenceBetweenRanksIsRefusedOnAll) {
  MpiTransformSettings settings = good_settings();
  if (rank() == 1) settings.batch = 2;
  EXPECT_NE(refusal(settings).find("do not agree on the transform's batch"), std::string::npos);
  settings = good_settings();
  if (rank() == 1) settings.wire = Wire::as_float;
  EXPECT_NE(refusal(settings).find("do not agree on the transform's wire"), std::string::npos);
  settings = good_settings();
  if (rank() == 1) settings.grid[2] = 7;
  EXPECT_NE(refusal(settings).find("do not agree on the transform's grid (z)"), std::string::npos);
}

TEST(SeveralProcesses, AnArrayThatOneRankCannotUseIsRefusedOnAll) {
  MpiTransformSettings settings = good_settings();
  if (rank() == 1) settings.points.layout.stride[1] = 0;
  const std::string text = refusal(settings);
  EXPECT_NE(text.find("two numbers at one place"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 1"), std::string::npos) << text;
}

TEST(SeveralProcesses, BoxesThatDoNotMakeTheGridAreRefusedOnAll) {
  MpiTransformSettings settings = good_settings();
  settings.points = dense_storage(whole(settings.grid));
  EXPECT_NE(refusal(settings).find("two input boxes overlap"), std::string::npos);
  settings = good_settings();
  if (rank() == 1) settings.waves = {};
  EXPECT_NE(refusal(settings).find("the output boxes do not cover the grid"), std::string::npos);
}

TEST(MpiTransforms, PartsAndGridsWithoutSenseAreRefused) {
  MpiTransformSettings settings = good_settings();
  settings.parts = {{ranks(), 2}};
  EXPECT_NE(refusal(settings).find("parts of the pencils"), std::string::npos);
  settings = good_settings();
  settings.batch = 0;
  EXPECT_NE(refusal(settings).find("at least one field"), std::string::npos);
}

}  // namespace
}  // namespace fg::fft
