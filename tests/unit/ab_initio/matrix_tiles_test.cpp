// SPDX-License-Identifier: BSD-3-Clause
//
// The matrices of all orbitals in tiles and pieces: each number once, for any division; a symmetric
// matrix from half of its tiles.
#include "ab_initio/division/matrix_tiles.hpp"

#include <gtest/gtest.h>

#include <vector>

#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;

Job job_of(int state_grain) {
  Job job = gth_job();
  job.division.state_grain = state_grain;
  return job;
}

TEST(MatrixTiles, CoverAllOrbitals) {
  const MatrixTiles tiles(10, 4);
  EXPECT_EQ(tiles.side(), 3);
  EXPECT_EQ(tiles.range(0), (fft::Range{0, 4}));
  EXPECT_EQ(tiles.range(2), (fft::Range{8, 10}));
  EXPECT_EQ(tiles.touched({3, 8}), (fft::Range{0, 2}));
  EXPECT_EQ(tiles.touched({8, 10}), (fft::Range{2, 3}));
  EXPECT_EQ(MatrixTiles(10, 0).side(), 1);
  EXPECT_EQ(MatrixTiles(10, 11).range(0), (fft::Range{0, 10}));
}

TEST(MatrixPieces, HaveEachNumberOnce) {
  for (int grain = 1; grain <= 5; ++grain) {
    const Basis basis(job_of(grain));
    for (int groups = 1; groups <= basis.blocks(); ++groups)
      for (int side = 1; side <= 5; ++side) {
        const MatrixTiles tiles(5, side);
        const MatrixPieces pieces(basis, groups, tiles);
        std::vector<int> count(25);
        int of_tiles = 0, of_pairs = 0;
        for (const MatrixPiece& piece : pieces.all()) {
          const MatrixShare tile = tiles.share(piece.tile_row, piece.tile_column);
          EXPECT_EQ(common(piece.share, tile).numbers(), piece.share.numbers());
          EXPECT_GT(piece.share.numbers(), 0U);
          for (int i = piece.share.rows.begin; i < piece.share.rows.end; ++i)
            for (int k = piece.share.columns.begin; k < piece.share.columns.end; ++k)
              ++count[static_cast<std::size_t>(5 * i + k)];
        }
        EXPECT_EQ(count, std::vector<int>(25, 1)) << grain << groups << side;
        for (int i = 0; i < tiles.side(); ++i)
          for (int j = 0; j < tiles.side(); ++j) of_tiles += pieces.count_of_tile(i, j);
        for (int block = 0; block < basis.blocks(); ++block)
          for (int group = 0; group < groups; ++group) {
            for (int p = pieces.of(block, group).begin; p < pieces.of(block, group).end; ++p)
              EXPECT_EQ(pieces.all()[static_cast<std::size_t>(p)].block, block);
            of_pairs += pieces.of(block, group).size();
          }
        EXPECT_EQ(of_tiles, static_cast<int>(pieces.all().size()));
        EXPECT_EQ(of_pairs, static_cast<int>(pieces.all().size()));
      }
  }
}

TEST(MatrixShares, WithNothingInCommonAreEmpty) {
  EXPECT_EQ(common({{0, 2}, {0, 2}}, {{3, 5}, {0, 2}}).numbers(), 0U);
  EXPECT_EQ(common({{0, 2}, {3, 4}}, {{1, 5}, {0, 9}}).numbers(), 1U);
}

/// What symmetric tiles become of numbers that depend on their place only: computed ones are i + 10
/// k, others are wrong.
TEST(MatrixTiles, AreMadeSymmetricFromWhatWasComputed) {
  for (int grain = 1; grain <= 5; ++grain)
    for (int side = 1; side <= 5; ++side) {
      const Basis basis(job_of(grain));
      const MatrixTiles tiles(5, side);
      const auto computed = [&](int i, int k) {
        return computes_tile(i / grain, k / grain, basis.blocks());
      };
      const auto numbers = [&](const MatrixShare& share) {
        std::vector<double> values;
        for (int i = share.rows.begin; i < share.rows.end; ++i)
          for (int k = share.columns.begin; k < share.columns.end; ++k)
            values.push_back(computed(i, k) ? i + 10 * k : -1000);
        return values;
      };
      for (int a = 0; a < tiles.side(); ++a)
        for (int b = 0; b < tiles.side(); ++b) {
          const MatrixShare share = tiles.share(a, b);
          std::vector<double> tile = numbers(share);
          const std::vector<double> across = numbers(tiles.share(b, a));
          fill_in(basis, share, tile, a == b ? std::span<const double>(tile) : across);
          const double* value = tile.data();
          for (int i = share.rows.begin; i < share.rows.end; ++i)
            for (int k = share.columns.begin; k < share.columns.end; ++k) {
              const double mean = 5.5 * (i + k);
              const double should = i / grain == k / grain ? mean
                                    : computed(i, k)       ? i + 10 * k
                                                           : k + 10 * i;
              EXPECT_EQ(*value++, should) << grain << side << " " << i << k;
            }
        }
    }
}

TEST(AverageHalves, IsTheMeanOfAMatrixAndItsTranspose) {
  std::vector<double> square{1, 2, 3, 4, 5, 6, 7, 8, 9};
  average_halves({{0, 3}, {0, 3}}, square, square);
  EXPECT_EQ(square, (std::vector<double>{1, 3, 5, 3, 5, 7, 5, 7, 9}));
  std::vector<double> tile{1, 2, 3, 4, 5, 6};                // 2 x 3
  const std::vector<double> across{10, 20, 30, 40, 50, 60};  // 3 x 2
  average_halves({{0, 2}, {2, 5}}, tile, across);
  EXPECT_EQ(tile, (std::vector<double>{5.5, 16, 26.5, 12, 22.5, 33}));
}

}  // namespace
}  // namespace fg::test
