// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/subspace.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "base/error.hpp"
#include "electrons/matrices/blas.hpp"

namespace fg::ab_initio {

namespace {

namespace blas = electrons::blas;

/// Combinations with a smaller share of the largest norm depend on the others.
constexpr double least_norm = 1e-7;

}  // namespace

Subspace::Subspace(int orbitals, int atomic)
    : n_(orbitals), count_(std::max(orbitals, atomic)), sets_((count_ + orbitals - 1) / orbitals) {}

void Subspace::add(int set, int other, std::span<const double> overlap, std::span<const double> h) {
  const auto count = static_cast<std::size_t>(count_);
  overlap_.resize(count * count);
  h_.resize(count * count);
  for (int i = 0; i < n_; ++i)
    for (int k = 0; k < n_; ++k) {
      const int row = set * n_ + i, column = other * n_ + k;
      if (row >= count_ || column >= count_) continue;
      const auto from =
          static_cast<std::size_t>(i) * static_cast<std::size_t>(n_) + static_cast<std::size_t>(k);
      const auto put = [&](std::vector<double>& matrix, double value) {
        matrix[static_cast<std::size_t>(row) * count + static_cast<std::size_t>(column)] = value;
        matrix[static_cast<std::size_t>(column) * count + static_cast<std::size_t>(row)] = value;
      };
      // One half of a set with itself is enough.
      if (set == other && k < i) continue;
      put(overlap_, overlap[from]);
      put(h_, h[from]);
    }
}

void Subspace::solve() {
  const auto count = static_cast<std::size_t>(count_);
  // Rows of `vectors` times norm^(-1/2) are orthonormal combinations.
  std::vector<double> vectors = overlap_;
  const std::vector<double> norms = blas::eigenvectors(count_, vectors.data());
  std::size_t first = 0;
  while (first < count && norms[first] < least_norm * norms.back()) ++first;
  const std::size_t rank = count - first;
  if (rank < static_cast<std::size_t>(n_))
    throw NumericsError({.what = "the atomic orbitals are too much alike to begin with",
                         .where = "start from atomic orbitals",
                         .value = std::to_string(rank) + " independent ones",
                         .limit = std::to_string(n_) + " orbitals",
                         .hint = "set start = \"random\""});
  for (std::size_t i = first; i < count; ++i)
    for (std::size_t k = 0; k < count; ++k) vectors[i * count + k] /= std::sqrt(norms[i]);
  const double* const combinations = vectors.data() + first * count;
  std::vector<double> half(rank * count), small(rank * rank);
  using Reading = blas::Factor::Reading;
  blas::multiply(rank, count, count, 1, {combinations, count}, {h_.data(), count}, 0, half.data(),
                 count);
  blas::multiply(rank, rank, count, 1, {half.data(), count},
                 {combinations, count, Reading::transposed}, 0, small.data(), rank);
  blas::eigenvectors(static_cast<int>(rank), small.data());
  const auto n = static_cast<std::size_t>(n_);
  coefficients_.resize(count * n);
  blas::multiply(count, n, rank, 1, {combinations, count, Reading::transposed},
                 {small.data(), rank, Reading::transposed}, 0, coefficients_.data(), n);
}

std::vector<double> Subspace::orbitals(int set) {
  if (coefficients_.empty()) solve();
  const auto n = static_cast<std::size_t>(n_);
  std::vector<double> part(n * n);
  const auto first = std::min(static_cast<std::size_t>(set) * n, static_cast<std::size_t>(count_));
  const std::size_t rows = std::min(n, static_cast<std::size_t>(count_) - first);
  std::copy_n(coefficients_.begin() + static_cast<std::ptrdiff_t>(first * n), rows * n,
              part.begin());
  return part;
}

}  // namespace fg::ab_initio
