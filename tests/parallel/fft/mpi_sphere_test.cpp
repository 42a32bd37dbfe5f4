// SPDX-License-Identifier: BSD-3-Clause
//
// Orbitals over the processes of MPI: they have the bits of one process, several transforms may go
// on at the same time, and what one process does wrong ends on all of them. Every process runs
// every test.
#include "fft/mpi/mpi_sphere.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

#include "base/error.hpp"
#include "support/fft/sphere_samples.hpp"
#include "support/mpi_environment.hpp"

namespace fg::fft {
namespace {

using Complex = std::complex<double>;
using test::rank_of_mpi;
using test::ranks_of_mpi;
using test::SphereArrays;
using test::SphereSample;

constexpr int batch = 3;

/// Indices up to 2, 3 and 4 in a skew cell.
SphereSample sample_of(SphereKind kind) {
  return {{8, 9, 12}, {{{1.1, 0, 0}, {0.2, 0.8, 0}, {0, 0.1, 0.6}}}, 2.5, kind};
}

std::vector<GridBox> boxes_of(int which, const Grid& grid) {
  const int ranks = ranks_of_mpi();
  if (which == 0) return boxes_for_sphere(grid, ranks);
  if (which == 1) return pencils(grid, 0, {ranks, 1});
  if (which == 2) return slabs(grid, 0, ranks);
  std::vector<GridBox> last_has_all(static_cast<std::size_t>(ranks));
  last_has_all.back() = whole(grid);
  return last_has_all;
}

struct Mine {
  Mine(const SphereSample& sample, int which, Travel travel)
      : box(boxes_of(which, sample.grid)[static_cast<std::size_t>(rank_of_mpi())]),
        transform(MPI_COMM_WORLD, {.grid = sample.grid,
                                   .vectors = sample.vectors,
                                   .cutoff = sample.cutoff,
                                   .kind = sample.kind,
                                   .points = dense_storage(box),
                                   .batch = batch,
                                   .travel = travel}),
        indices(transform.part().plan().indices_of(rank_of_mpi())),
        fields(fields_of(sample.kind, batch)),
        points(static_cast<std::size_t>(fields) * dense_storage(box).distance),
        kind(sample.kind),
        grid(sample.grid) {
    for (int orbital = 0; orbital < batch; ++orbital)
      for (const auto& g : indices) waves.push_back(test::coefficient(g, orbital, kind));
    before = waves;
  }

  void expect_points_of_one_rank() const {
    const SphereSample sample = sample_of(kind);
    const auto plan = std::make_shared<const SpherePlan>(sample.sphere(), std::vector{whole(grid)});
    std::vector<SphereArrays<double>> alone;
    alone.emplace_back(plan, 0, dense_storage(whole(grid)), batch);
    test::transform(alone, Direction::backward);
    std::size_t at = 0;
    for (int field = 0; field < fields; ++field)
      for (int x = box.low[0]; x < box.high[0]; ++x)
        for (int y = box.low[1]; y < box.high[1]; ++y)
          for (int z = box.low[2]; z < box.high[2]; ++z, ++at) {
            const Complex expected = alone[0].point(field, {x, y, z});
            ASSERT_EQ(std::memcmp(&points[at], &expected, sizeof(Complex)), 0) << at;
          }
  }
  void expect_waves_again() const {
    const double all = static_cast<double>(whole(grid).volume());
    // Far above 4 eps log2 N of coefficients up to sqrt(2).
    for (std::size_t i = 0; i < waves.size(); ++i)
      ASSERT_LT(std::abs(waves[i] / all - before[i]), 1e-13) << i;
  }

  GridBox box;
  MpiSphere<double> transform;
  std::vector<std::array<int, 3>> indices;
  int fields;
  std::vector<Complex> waves, before, points;
  SphereKind kind;
  Grid grid;
};

class Spheres : public ::testing::TestWithParam<Travel> {};

TEST_P(Spheres, OrbitalsHaveTheBitsOfOneRankInAnyBoxes) {
  for (const SphereKind kind : {SphereKind::full, SphereKind::half})
    for (int which = 0; which < 4; ++which) {
      Mine mine(sample_of(kind), which, GetParam());
      for (int round = 0; round < 2; ++round) {
        mine.waves = mine.before;
        mine.transform.backward(mine.waves.data(), mine.points.data());
        mine.expect_points_of_one_rank();
        mine.transform.forward(mine.points.data(), mine.waves.data());
        mine.expect_waves_again();
      }
    }
}

INSTANTIATE_TEST_SUITE_P(All, Spheres, ::testing::Values(Travel::messages, Travel::collective),
                         [](const auto& info) {
                           return info.param == Travel::messages ? "messages" : "collective";
                         });

TEST(MpiSpheres, ManyGoOnAtTheSameTimeInAnyOrderOfTests) {
  std::vector<std::unique_ptr<Mine>> all;
  for (int i = 0; i < 5; ++i)
    all.push_back(std::make_unique<Mine>(
        sample_of(i % 2 == 0 ? SphereKind::half : SphereKind::full), i % 4, Travel::messages));
  for (auto& one : all)
    one->transform.start(Direction::backward, one->waves.data(), one->points.data());
  std::size_t over = 0;
  while (over < all.size()) {
    over = 0;
    for (std::size_t i = 0; i < all.size(); ++i)  // another order on each rank
      over +=
          all[(i + static_cast<std::size_t>(rank_of_mpi())) % all.size()]->transform.test() ? 1 : 0;
  }
  for (auto& one : all) one->expect_points_of_one_rank();
}

/// The message that every rank gets.
std::string refusal(const MpiSphereSettings& settings) {
  try {
    const MpiSphere<double> made(MPI_COMM_WORLD, settings);
  } catch (const InputError& error) {
    EXPECT_FALSE(error.parts().hint.empty());
    return error.what();
  }
  return "accepted";
}

MpiSphereSettings good_settings() {
  const SphereSample sample = sample_of(SphereKind::half);
  const auto mine = static_cast<std::size_t>(rank_of_mpi());
  return {.grid = sample.grid,
          .vectors = sample.vectors,
          .cutoff = sample.cutoff,
          .kind = sample.kind,
          .points = dense_storage(boxes_of(0, sample.grid)[mine])};
}

TEST(SeveralProcesses, ADifferenceBetweenRanksIsRefusedOnAll) {
  MpiSphereSettings settings = good_settings();
  if (rank_of_mpi() == 1) settings.cutoff += 0.5;
  EXPECT_NE(refusal(settings).find("do not agree on the transform's cut-off"), std::string::npos);
  settings = good_settings();
  if (rank_of_mpi() == 1) settings.vectors[1][0] = 0.3;
  EXPECT_NE(refusal(settings).find("do not agree on the transform's reciprocal vector b2"),
            std::string::npos);
}

TEST(SeveralProcesses, AnArrayThatOneRankCannotUseIsRefusedOnAll) {
  MpiSphereSettings settings = good_settings();
  if (rank_of_mpi() == 1) settings.distance = 1;
  const std::string text = refusal(settings);
  EXPECT_NE(text.find("waves of two orbitals overlap"), std::string::npos) << text;
  EXPECT_NE(text.find("rank 1"), std::string::npos) << text;
  settings = good_settings();
  settings.points = dense_storage(whole(settings.grid));
  EXPECT_NE(refusal(settings).find("two point boxes overlap"), std::string::npos);
}

TEST(MpiSpheres, WhatIsNoSphereIsRefused) {
  for (const double cutoff : {-1.0, std::numeric_limits<double>::quiet_NaN()}) {
    MpiSphereSettings settings = good_settings();
    settings.cutoff = cutoff;
    EXPECT_NE(refusal(settings).find("cut-off of a sphere"), std::string::npos);
  }
  MpiSphereSettings settings = good_settings();
  settings.grid[2] = 8;
  EXPECT_NE(refusal(settings).find("too large for the grid along z"), std::string::npos);
  settings = good_settings();
  settings.batch = 0;
  EXPECT_NE(refusal(settings).find("at least one field"), std::string::npos);
}

}  // namespace
}  // namespace fg::fft
