// SPDX-License-Identifier: BSD-3-Clause
//
// The general product of matrices against plain loops, with gaps between rows, transposed or not;
// and by several threads at once.
#include "electrons/matrices/blas.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <numbers>
#include <thread>
#include <vector>

#include "support/random_values.hpp"

namespace fg::electrons {
namespace {

using Reading = blas::Factor::Reading;

TEST(Blas, GeneralProductsAreThoseOfPlainLoops) {
  for (const std::size_t rows : {0, 1, 5, 40})
    for (const std::size_t columns : {1, 7})
      for (const std::size_t inner : {0, 1, 300})
        for (const Reading of_a : {Reading::as_stored, Reading::transposed})
          for (const Reading of_b : {Reading::as_stored, Reading::transposed})
            for (const double beta : {0.0, 1.0, -0.5}) {
              constexpr std::size_t gap = 3;
              const bool a_turned = of_a == Reading::transposed,
                         b_turned = of_b != Reading::as_stored;
              const std::size_t a_stride = (a_turned ? rows : inner) + gap;
              const std::size_t b_stride = (b_turned ? inner : columns) + gap;
              const std::size_t c_stride = columns + gap;
              const auto a = test::random_values<double>(a_stride * (a_turned ? inner : rows), 1);
              const auto b =
                  test::random_values<double>(b_stride * (b_turned ? columns : inner), 2);
              const auto before = test::random_values<double>(c_stride * rows, 3);
              auto c = before;
              blas::multiply(rows, columns, inner, 0.7, {a.data(), a_stride, of_a},
                             {b.data(), b_stride, of_b}, beta, c.data(), c_stride);
              for (std::size_t i = 0; i < rows; ++i)
                for (std::size_t k = 0; k < c_stride; ++k) {
                  double right = before[i * c_stride + k];
                  if (k < columns) {
                    right *= beta;
                    for (std::size_t j = 0; j < inner; ++j)
                      right += 0.7 * (a_turned ? a[j * a_stride + i] : a[i * a_stride + j]) *
                               (b_turned ? b[k * b_stride + j] : b[j * b_stride + k]);
                  }
                  // 300 products of up to 9, in another order.
                  EXPECT_NEAR(c[i * c_stride + k], right, 1e-12);
                }
            }
}

// With an OpenBLAS that is built without threads, two callers at once spoilt each other's products.
TEST(Blas, SeveralThreadsMayCallItAtOnce) {
  const auto work = [](std::size_t rows, std::size_t inner, int* wrong) {
    const auto numbers = test::random_values<double>(rows * inner, rows);
    std::vector<double> first(rows * rows), again(rows * rows);
    const auto multiply = [&](std::vector<double>& to) {
      blas::multiply(rows, rows, inner, 1, {numbers.data(), inner},
                     {numbers.data(), inner, blas::Factor::Reading::transposed}, 0, to.data(),
                     rows);
    };
    multiply(first);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < rows; ++k) {
        double right = 0;
        for (std::size_t j = 0; j < inner; ++j)
          right += numbers[i * inner + j] * numbers[k * inner + j];
        *wrong += std::abs(first[i * rows + k] - right) > 1e-9 ? 1 : 0;
      }
    for (int turn = 0; turn < 2000; ++turn) {
      multiply(again);
      *wrong += again != first ? 1 : 0;
    }
  };
  std::array<int, 3> wrong{};
  {
    std::vector<std::thread> threads;
    for (std::size_t t = 0; t < wrong.size(); ++t)
      threads.emplace_back(work, 2 + 3 * t, 300 + 100 * t, &wrong[t]);
    for (std::thread& thread : threads) thread.join();
  }
  EXPECT_EQ(wrong, (std::array<int, 3>{}));
}

TEST(Blas, FindsEigenvaluesWithoutVectors) {
  // 2 on the diagonal and -1 beside it: 2 - 2 cos(k pi / (n + 1)).
  constexpr int n = 7;
  std::vector<double> matrix(static_cast<std::size_t>(n) * n);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      matrix[i * n + k] = i == k ? 2 : i + 1 == k || k + 1 == i ? -1 : 0;
  const std::vector<double> values = blas::eigenvalues(n, matrix.data());
  ASSERT_EQ(values.size(), static_cast<std::size_t>(n));
  for (std::size_t k = 0; k < n; ++k)
    EXPECT_NEAR(values[k], 2 - 2 * std::cos((k + 1.0) * std::numbers::pi / (n + 1)), 1e-14);
  EXPECT_TRUE(blas::eigenvalues(0, nullptr).empty());
}

}  // namespace
}  // namespace fg::electrons
