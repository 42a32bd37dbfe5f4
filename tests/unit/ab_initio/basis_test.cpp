// SPDX-License-Identifier: BSD-3-Clause
//
// The division of orbitals, waves and points covers all of them once.
#include "ab_initio/division/basis.hpp"

#include <gtest/gtest.h>

#include <map>
#include <vector>

#include "base/error.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using ab_initio::Basis;
using ab_initio::DivisionSettings;
using ab_initio::Job;

Job divided_job(const DivisionSettings& division, int bands = 5) {
  Job job = gth_job();
  job.division = division;
  job.electrons.bands = bands;
  return job;
}

const std::vector<DivisionSettings> divisions{{1, 1, 1},
                                              {2, 1, 3},
                                              {3, 2, 2},
                                              {5, 2, 6},
                                              {7, 4, 8},
                                              {2, 5, 15},
                                              {2, 6, 18},
                                              {2, 18, 18},
                                              {2, 2, 4, 1, 0, 1, 3},
                                              {2, 3, 18, 1, 0, 1, 5},
                                              {2, 1, 1, 1, 0, 1, 18}};

TEST(Basis, BlocksHaveEveryOrbitalOnce) {
  for (const int bands : {1, 4, 5, 6})
    for (const int grain : {1, 2, 3, 5, 100}) {
      const Basis basis(divided_job({grain, 1, 1}, bands));
      int next = 0;
      for (int s = 0; s < basis.blocks(); ++s) {
        EXPECT_EQ(basis.block(s).begin, next);
        EXPECT_GE(basis.block(s).size(), 1);
        EXPECT_LE(basis.block(s).size(), grain);
        EXPECT_TRUE(basis.block(s).size() == grain || s == basis.blocks() - 1);
        EXPECT_EQ(basis.pairs(s), basis.block(s).size() / 2 + basis.block(s).size() % 2);
        next = basis.block(s).end;
      }
      EXPECT_EQ(next, bands);
      EXPECT_EQ(basis.orbitals(), bands);
    }
}

TEST(Basis, PartsOfTheDensityDivideThoseOfOrbitalsAndHaveEveryPointOnce) {
  for (const DivisionSettings& division : divisions) {
    const Basis basis(divided_job(division));
    ASSERT_EQ(basis.parts(), division.wave_parts);
    ASSERT_EQ(basis.plane_pieces(), division.plane_pieces);
    ASSERT_EQ(basis.density_parts(), division.density_parts * division.plane_pieces);
    std::vector<int> owners(18 * 18 * 18), density_owners = owners;
    const auto mark = [](const fft::GridBox& box, std::vector<int>& of) {
      for (int x = box.low[0]; x < box.high[0]; ++x)
        for (int y = box.low[1]; y < box.high[1]; ++y)
          for (int z = box.low[2]; z < box.high[2]; ++z)
            ++of[static_cast<std::size_t>((x * 18 + y) * 18 + z)];
    };
    for (int p = 0; p < basis.parts(); ++p) mark(basis.points(p), owners);
    for (int d = 0; d < basis.density_parts(); ++d) {
      const fft::GridBox& inner = basis.density_points(d);
      const fft::GridBox& outer = basis.points(d / basis.density_parts_in_part());
      EXPECT_EQ(fft::intersection(inner, outer), inner);
      mark(inner, density_owners);
    }
    EXPECT_EQ(owners, std::vector<int>(owners.size(), 1));
    EXPECT_EQ(density_owners, owners);
    EXPECT_EQ(basis.grid_points(), 18.0 * 18 * 18);
  }
}

/// Nothing but the exchange of pieces of the same planes is between lines along y and along x.
TEST(Basis, PiecesOfASlabHaveItsPlanesAlsoInTransforms) {
  Job job = divided_job({2, 1, 3, 1, 0, 1, 4});
  job.electrons.grid = {18, 20, 50};  // slabs of 16, 16 and 18 planes
  const Basis basis(job);
  const fft::SpherePlan& plan = *basis.density_plan();
  std::vector<int> planes(3), rows(3);
  for (int d = 0; d < basis.density_parts(); ++d) {
    const auto at = static_cast<std::size_t>(d);
    EXPECT_EQ(plan.full_boxes()[at], basis.density_points(d));
    EXPECT_EQ(plan.y_boxes()[at].range(2), basis.density_points(d).range(2));
    EXPECT_EQ(plan.y_boxes()[at].range(1), (fft::Range{0, 20}));
    planes[at / 4] += plan.y_boxes()[at].size(0);
    rows[at / 4] += basis.density_points(d).size(1);
  }
  const int all = static_cast<int>(plan.planes().size());
  EXPECT_EQ(planes, (std::vector{all, all, all}));
  EXPECT_EQ(rows, (std::vector{20, 20, 20}));
}

/// Transforms do eight planes at once; a slab of 20 would take as long as one of 24.
TEST(Basis, SlabsHaveWholeGroupsOfPlanesIfThereAreEnough) {
  const auto sizes = [](int planes, const DivisionSettings& division) {
    Job job = divided_job(division);
    job.electrons.grid = {18, 18, planes};
    const Basis basis(job);
    std::vector<int> sizes;
    for (int d = 0; d < basis.density_parts(); ++d)
      sizes.push_back(basis.density_points(d).size(2));
    return sizes;
  };
  EXPECT_EQ(sizes(80, {5, 1, 4}), (std::vector{16, 24, 16, 24}));
  EXPECT_EQ(sizes(63, {5, 1, 4}), (std::vector{16, 16, 16, 15}));
  EXPECT_EQ(sizes(72, {5, 2, 4}), (std::vector{16, 16, 16, 24}));
  EXPECT_EQ(sizes(80, {5, 1, 8}), (std::vector{10, 10, 10, 10, 10, 10, 10, 10}));
}

/// Waves up to a length, one of each pair of opposites, counted in the whole grid of indices.
std::size_t waves_up_to(const Job& job, double longest) {
  const auto b = job.cell.reciprocal_rows();
  std::size_t all = 0;
  for (int x = -9; x <= 9; ++x)
    for (int y = -9; y <= 9; ++y)
      for (int z = -9; z <= 9; ++z) {
        double square = 0;
        for (std::size_t axis = 0; axis < 3; ++axis) {
          const double g = x * b[0][axis] + y * b[1][axis] + z * b[2][axis];
          square += g * g;
        }
        all += square <= longest * longest ? 1 : 0;
      }
  return (all + 1) / 2;
}

TEST(Basis, PartsHaveEveryWaveOfTheHalfSphereOnce) {
  for (const DivisionSettings& division : divisions) {
    const Job job = divided_job(division);
    const Basis basis(job);
    const auto check = [&](int parts, const auto& waves_of, double longest) {
      std::map<std::array<int, 3>, int> seen;
      int zeros = 0;
      for (int p = 0; p < parts; ++p) {
        const electrons::PlaneWaves& waves = waves_of(p);
        zeros += waves.zero() >= 0 ? 1 : 0;
        for (const auto& [x, y, z] : waves.indices()) {
          ++seen[{x, y, z}];
          if (x != 0 || y != 0 || z != 0) ++seen[{-x, -y, -z}];
        }
        for (const double square : waves.squares())
          EXPECT_LE(square, longest * longest * (1 + 1e-12));
      }
      EXPECT_EQ(zeros, 1);
      for (const auto& [index, times] : seen) EXPECT_EQ(times, 1);
      EXPECT_EQ((seen.size() + 1) / 2, waves_up_to(job, longest));
    };
    check(basis.parts(), [&](int p) -> const auto& { return basis.waves(p); }, job.largest_wave());
    check(
        basis.density_parts(), [&](int p) { return basis.density_waves(p); },
        2 * job.largest_wave());
  }
}

TEST(Basis, ChunksHaveEveryWaveOfTheirPartOnce) {
  for (const int parts : {1, 3})
    for (const int chunks : {1, 2, 3, 7}) {
      DivisionSettings division{2, parts, parts};
      division.pair_chunks = chunks;
      const Basis basis(divided_job(division));
      ASSERT_EQ(basis.chunks_in_part(), chunks);
      ASSERT_EQ(basis.chunks(), parts * chunks);
      for (int k = 0; k < basis.chunks(); ++k) {
        const int part = k / chunks;
        EXPECT_EQ(basis.part_of_chunk(k), part);
        const fft::Range waves = basis.waves_of_chunk(k);
        EXPECT_GE(waves.size(), 1);
        EXPECT_EQ(waves.begin, k % chunks == 0 ? 0 : basis.waves_of_chunk(k - 1).end);
        if (k % chunks == chunks - 1) {
          EXPECT_EQ(static_cast<std::size_t>(waves.end), basis.waves(part).size());
        }
      }
    }
}

TEST(Basis, MoreChunksThanWavesOfAPartAreRefused) {
  const std::size_t waves = Basis(gth_job()).waves(0).size();
  Job job = gth_job();
  job.division.pair_chunks = static_cast<int>(waves);
  EXPECT_EQ(Basis(job).waves_of_chunk(job.division.pair_chunks - 1).size(), 1);
  ++job.division.pair_chunks;
  expect_refused<InputError>([&] { Basis{job}; }, "more chunks than waves in a part");
}

TEST(Basis, AGridThatIsTooSmallIsRefused) {
  Job job = gth_job();
  job.electrons.grid = {18, 12, 18};
  EXPECT_THROW(Basis{job}, InputError);
}

TEST(Basis, RowsOfABoxAreThoseOfTheBoxAroundIt) {
  const fft::GridBox outer{{2, 1, 3}, {5, 5, 11}};
  for (const fft::GridBox& inner : {fft::GridBox{{2, 1, 3}, {5, 5, 11}},
                                    {{2, 1, 3}, {5, 5, 4}},
                                    {{2, 1, 5}, {5, 5, 9}},
                                    {{2, 1, 10}, {5, 5, 11}},
                                    {{2, 1, 5}, {5, 2, 9}},
                                    {{3, 2, 3}, {4, 5, 11}}}) {
    std::vector<int> visits(inner.volume());
    ab_initio::for_each_row(inner, outer, [&](std::size_t to, std::size_t from, std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) {
        // The point at this place of the inner array, and where the outer array has it.
        const auto at = static_cast<int>(to + i);
        const int planes = inner.size(2), rows = inner.size(1);
        const int x = inner.low[0] - 2 + at / (rows * planes);
        const int y = inner.low[1] - 1 + at / planes % rows, z = inner.low[2] + at % planes;
        EXPECT_EQ(from + i, static_cast<std::size_t>((x * 4 + y) * 8 + z - 3));
        ++visits[to + i];
      }
    });
    EXPECT_EQ(visits, std::vector<int>(inner.volume(), 1));
  }
}

}  // namespace
}  // namespace fg::test
