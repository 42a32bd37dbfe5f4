// SPDX-License-Identifier: BSD-3-Clause
//
// Products of blocks against plain sums, on sizes that fill no vector; tiles cover every pair once.
#include "ab_initio/matrices/block_products.hpp"

#include <gtest/gtest.h>

#include <complex>
#include <random>
#include <vector>

#include "ab_initio/matrices/pair_calculator.hpp"
#include "support/references/ab_initio/ab_initio_references.hpp"

namespace fg::ab_initio {
namespace {

using Number = std::complex<double>;

std::vector<Number> random_block(std::mt19937_64& random, std::size_t size) {
  std::uniform_real_distribution<double> number(-1, 1);
  std::vector<Number> block(size);
  for (Number& one : block) one = {number(random), number(random)};
  return block;
}

/// Sums of up to n products of numbers below 2 in any order.
double rounding(std::size_t n) {
  return 2 * static_cast<double>(n) * 2.2e-16 * 4;
}

struct Size {
  int n_a, n_b;
  std::size_t waves;
};
const Size sizes[] = {{1, 1, 1}, {2, 3, 5}, {3, 1, 17}, {4, 4, 64}, {5, 7, 131}, {9, 33, 20011}};

TEST(BlockProducts, OverlapsAreThePlainSums) {
  std::mt19937_64 random(1);
  for (const auto& [n_a, n_b, waves] : sizes)
    for (const std::ptrdiff_t zero :
         {std::ptrdiff_t{-1}, std::ptrdiff_t{0}, static_cast<std::ptrdiff_t>(waves) - 1}) {
      const auto a = random_block(random, static_cast<std::size_t>(n_a) * waves);
      const auto b = random_block(random, static_cast<std::size_t>(n_b) * waves);
      const int stride = n_b + 2;
      // Numbers between the rows stay.
      std::vector<double> overlaps(static_cast<std::size_t>(n_a * stride), 77), plain = overlaps;
      std::vector<electrons::InnerRow> rows;
      for (int i = 0; i < n_a; ++i)
        rows.push_back(
            {reinterpret_cast<const double*>(a.data()) + static_cast<std::size_t>(i) * 2 * waves,
             overlaps.data() + i * stride});
      int pauses = 0;
      overlap_rows(rows, b.data(), n_b, waves, zero, [&pauses] { ++pauses; });
      EXPECT_EQ(pauses, static_cast<int>((2 * waves + 16383) / 16384));
      reference::overlap_blocks(a.data(), n_a, b.data(), n_b, waves, zero, plain.data(), stride);
      for (std::size_t i = 0; i < plain.size(); ++i)
        EXPECT_NEAR(overlaps[i], plain[i], rounding(2 * waves)) << waves << " waves, " << i;
    }
}

TEST(PairTiles, CoverEveryPairOfBlocksOnce) {
  for (int blocks = 1; blocks <= 33; ++blocks)
    for (int a = 0; a < blocks; ++a) {
      EXPECT_TRUE(computes_tile(a, a, blocks));
      for (int b = 0; b < a; ++b)
        EXPECT_NE(computes_tile(a, b, blocks), computes_tile(b, a, blocks))
            << a << " and " << b << " of " << blocks;
    }
}

TEST(PairTiles, AreSharedEvenly) {
  for (int blocks = 1; blocks <= 33; ++blocks)
    for (int b = 0; b < blocks; ++b) {
      int tiles = 0;
      for (int a = 0; a < blocks; ++a) tiles += computes_tile(a, b, blocks) ? 1 : 0;
      EXPECT_GE(2 * tiles, blocks) << b << " of " << blocks;
      EXPECT_LE(2 * tiles, blocks + 2) << b << " of " << blocks;
    }
}

}  // namespace
}  // namespace fg::ab_initio
