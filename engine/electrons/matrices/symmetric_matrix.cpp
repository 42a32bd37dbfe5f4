// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/symmetric_matrix.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::electrons {

namespace {

std::string entry(std::size_t i, std::size_t k) {
  return "row " + std::to_string(i + 1) + ", column " + std::to_string(k + 1);
}

}  // namespace

void check_symmetric(int rows, std::span<const double> matrix, const char* name) {
  const std::size_t n = static_cast<std::size_t>(rows);
  FG_CHECK(matrix.size() == n * n);
  double largest = 0;
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    if (!std::isfinite(matrix[i]))
      throw NumericsError({.what = std::string("an entry of the ") + name + " is not finite",
                           .where = entry(i / n, i % n),
                           .hint = "a shorter time step may help"});
    largest = std::max(largest, std::abs(matrix[i]));
  }
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = i + 1; k < n; ++k) {
      const double difference = std::abs(matrix[i * n + k] - matrix[k * n + i]);
      if (difference > matrix_asymmetry * largest)
        throw NumericsError({.what = std::string("the ") + name + " is not symmetric",
                             .where = entry(i, k),
                             .value = "difference " + shown(difference),
                             .limit = "1e-10 of the largest entry",
                             .hint = "this is a defect of the program that made the matrix"});
    }
}

void check_positive(std::span<const double> eigenvalues, const char* name) {
  if (eigenvalues.empty()) return;
  const double least = static_cast<double>(eigenvalues.size()) *
                       std::numeric_limits<double>::epsilon() * eigenvalues.back();
  if (!(eigenvalues.front() > least))
    throw NumericsError(
        {.what = std::string("the ") + name + " is not positive: states depend on each other",
         .value = "smallest eigenvalue " + shown(eigenvalues.front()),
         .limit = "above " + shown(least),
         .hint = "start from other states, or use a shorter time step"});
}

}  // namespace fg::electrons
