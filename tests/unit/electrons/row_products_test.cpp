// SPDX-License-Identifier: BSD-3-Clause
//
// Products of rows against plain sums, on every SIMD target and on sizes that fill neither a vector
// nor a tile; their bits do not depend on the rows beside them.
#include "electrons/matrices/row_products.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/references/electrons/matrix_references.hpp"

namespace fg::test {
namespace {

using electrons::Rows;
using electrons::Sum;
using electrons::Weights;

class RowProducts : public EachSimdTarget {
 protected:
  std::vector<double> numbers(std::size_t count) {
    std::uniform_real_distribution<double> number(-1, 1);
    std::vector<double> all(count);
    for (double& one : all) one = number(random_);
    return all;
  }

 private:
  std::mt19937_64 random_{7};
};

/// Sums of up to n products of numbers below 1 in any order.
double rounding(std::size_t n) {
  return static_cast<double>(n + 1) * 2.2e-16;
}

struct Size {
  std::size_t a, b, length;
};
const Size sizes[] = {{1, 1, 1},     {4, 4, 8},    {5, 3, 7},     {2, 9, 33},
                      {9, 2, 31},    {3, 5, 64},   {11, 13, 257}, {4, 5, 1025},
                      {16, 16, 100}, {7, 9, 1540}, {69, 41, 1537}};

TEST_P(RowProducts, InnerProductsAreAddedToPlainSums) {
  for (const auto& [n_a, n_b, length] : sizes) {
    const std::size_t a_stride = length + 3, b_stride = length + 1, stride = n_b + 2;
    const auto a = numbers(n_a * a_stride), b = numbers(n_b * b_stride);
    auto sums = numbers(n_a * stride), plain = sums;
    const Rows left{a.data(), n_a, a_stride}, right{b.data(), n_b, b_stride};
    electrons::add_inner_products(left, right, length, sums.data(), stride);
    electrons::reference::add_inner_products(left, right, length, plain.data(), stride);
    for (std::size_t i = 0; i < sums.size(); ++i) {
      if (i % stride < n_b)
        EXPECT_NEAR(sums[i], plain[i], rounding(length)) << length << " numbers, sum " << i;
      else
        EXPECT_EQ(sums[i], plain[i]) << "between the rows";
    }
  }
}

TEST_P(RowProducts, NumbersInTwoCallsHaveTheBitsOfOne) {
  constexpr std::size_t n_a = 14, n_b = 11, length = 2100;
  const auto a = numbers(n_a * length), b = numbers(n_b * length);
  std::vector<double> at_once(n_a * n_b), in_two = at_once;
  const auto rows = [&](std::vector<double>& sums) {
    std::vector<electrons::InnerRow> all;
    for (std::size_t i = 0; i < n_a; ++i)
      all.push_back({a.data() + i * length, sums.data() + i * n_b});
    return all;
  };
  const Rows right{b.data(), n_b, length};
  electrons::add_inner_products(rows(at_once), right, 0, length);
  electrons::add_inner_products(rows(in_two), right, 0, 1024);
  electrons::add_inner_products(rows(in_two), right, 1024, length);
  EXPECT_EQ(at_once, in_two);
}

TEST_P(RowProducts, SumsOfRowsArePlainSums) {
  for (const auto& [n_a, n_b, length] : sizes)
    for (const Sum sum : {Sum::replaces, Sum::adds}) {
      const std::size_t to_stride = length + 2, stride = n_b + 1;
      const auto a = numbers(n_a * length), w = numbers(n_a * stride);
      std::vector<const double*> from;
      for (std::size_t i = 0; i < n_a; ++i) from.push_back(a.data() + i * length);
      auto to = numbers(n_b * to_stride), plain = to;
      // What is replaced does not count, not even if it is no number.
      if (sum == Sum::replaces) to[0] = std::nan("");
      const Weights weights{w.data(), n_b, stride, 0.75};
      electrons::combine_rows(from, weights, length, sum, to.data(), to_stride);
      electrons::reference::combine_rows(from, weights, length, sum, plain.data(), to_stride);
      for (std::size_t i = 0; i < to.size(); ++i) {
        if (i % to_stride < length)
          EXPECT_NEAR(to[i], plain[i], rounding(n_a)) << length << " numbers, number " << i;
        else
          EXPECT_EQ(to[i], plain[i]) << "between the rows";
      }
    }
}

TEST_P(RowProducts, BitsDoNotDependOnTheOtherRows) {
  constexpr std::size_t length = 1100, count = 11;
  const auto a = numbers(count * length);
  std::vector<double> all(count * count), one(1);
  electrons::add_inner_products({a.data(), count, length}, {a.data(), count, length}, length,
                                all.data(), count);
  for (std::size_t i = 0; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) {
      one[0] = 0;
      electrons::add_inner_products({a.data() + i * length, 1, length},
                                    {a.data() + k * length, 1, length}, length, one.data(), 1);
      EXPECT_EQ(all[i * count + k], one[0]) << i << ", " << k;
    }
  // Also of more rows than are summed at once, and of none.
  for (const std::size_t rows : {count, std::size_t{2500}, std::size_t{0}}) {
    std::vector<const double*> from;
    for (std::size_t i = 0; i < rows; ++i) from.push_back(a.data() + i % count * length);
    const auto w = numbers(rows * count);
    std::vector<double> sums(count * length), sum(length);
    electrons::combine_rows(from, {.data = w.data(), .count = count, .stride = count}, length,
                            Sum::replaces, sums.data(), length);
    for (std::size_t k = 0; k < count; ++k) {
      electrons::combine_rows(from, {.data = w.data() + k, .count = 1, .stride = count}, length,
                              Sum::replaces, sum.data(), length);
      for (std::size_t x = 0; x < length; ++x) EXPECT_EQ(sums[k * length + x], sum[x]);
    }
  }
}

FG_ON_EACH_SIMD_TARGET(RowProducts);

}  // namespace
}  // namespace fg::test
