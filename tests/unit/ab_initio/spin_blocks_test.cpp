// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of two spins: eigenvectors and subspaces spin by spin, against those of each spin alone.
#include "ab_initio/division/spin_blocks.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "electrons/matrices/blas.hpp"
#include "support/ab_initio/gth_jobs.hpp"

namespace fg::test {
namespace {

using ab_initio::Basis;

constexpr int up = 5, down = 4, all = up + down;

double& at(std::vector<double>& matrix, int size, int i, int k) {
  return matrix[static_cast<std::size_t>(i) * static_cast<std::size_t>(size) +
                static_cast<std::size_t>(k)];
}

/// Symmetric, with the same numbers wherever the spins have the same place.
double element(int i, int k) {
  return (i == k ? 2.0 + 0.3 * i : 0) + std::sin(1.0 + 2.0 * (i + k) + 0.5 * i * k);
}

std::vector<double> of_one_spin(int size) {
  std::vector<double> matrix(static_cast<std::size_t>(size * size));
  for (int i = 0; i < size; ++i)
    for (int k = 0; k < size; ++k) at(matrix, size, i, k) = element(i, k);
  return matrix;
}

std::vector<double> of_both() {
  std::vector<double> matrix(static_cast<std::size_t>(all * all));
  for (int i = 0; i < all; ++i)
    for (int k = 0; k < all; ++k)
      if ((i < up) == (k < up)) at(matrix, all, i, k) = element(i % up, k % up);
  return matrix;
}

TEST(SpinBlocks, OrbitalsAndBlocksOfASpinAreConsecutive) {
  const ab_initio::Job job = spin_job();  // blocks of two orbitals
  const Basis basis(job);
  EXPECT_EQ(basis.orbitals(), all);
  EXPECT_EQ(basis.spins(), 2);
  EXPECT_EQ(basis.orbitals_of_spin(1).begin, up);
  EXPECT_EQ(basis.blocks(), 5);
  EXPECT_EQ(basis.blocks_of_spin(0).end, 3);
  EXPECT_EQ(basis.block(2).size(), 1);
  EXPECT_EQ(basis.spin_of(2), 0);
  EXPECT_EQ(basis.spin_of(3), 1);
  ab_initio::Job high = job;
  high.electrons.bands_up = all;
  EXPECT_EQ(Basis(high).spins(), 1);  // no orbital has spin down
  EXPECT_EQ(Basis(gth_job()).spins(), 1);
}

TEST(SpinBlocks, EigenvectorsDoNotMixSpins) {
  const ab_initio::Job job = spin_job();
  const Basis basis(job);
  std::vector<double> matrix = of_both(), copy = matrix;
  const std::vector<double> values = ab_initio::eigenvectors_of_spins(basis, matrix);
  EXPECT_EQ(ab_initio::eigenvalues_of_spins(basis, copy).size(), values.size());
  std::vector<double> first = of_one_spin(up), second = of_one_spin(down);
  const auto of_up = electrons::blas::eigenvectors(up, first.data());
  const auto of_down = electrons::blas::eigenvectors(down, second.data());
  for (int i = 0; i < all; ++i) {
    EXPECT_DOUBLE_EQ(
        values[static_cast<std::size_t>(i)],
        i < up ? of_up[static_cast<std::size_t>(i)] : of_down[static_cast<std::size_t>(i - up)]);
    for (int k = 0; k < all; ++k) {
      double right = 0;
      if (i < up && k < up) right = at(first, up, i, k);
      if (i >= up && k >= up) right = at(second, down, i - up, k - up);
      EXPECT_EQ(at(matrix, all, i, k), right);
    }
  }
}

TEST(SpinBlocks, ASubspaceForEachSpinGivesTheOrbitalsOfEach) {
  // Nine atomic orbitals: two sets for spin up, three for spin down.
  const ab_initio::Job job = spin_job();
  const Basis basis(job);
  constexpr int atomic = 9;
  ab_initio::SubspaceOfSpins both(basis, atomic);
  ab_initio::Subspace one_up(up, atomic), one_down(down, atomic);
  EXPECT_EQ(both.sets(), 3);
  EXPECT_EQ(one_up.sets(), 2);
  const auto h = [](int i, int k) { return element(i, k); };
  const auto s = [](int i, int k) { return (i == k ? 1.0 : 0.0) + 0.05 * std::cos(1.0 * (i + k)); };
  const auto products = [](const auto& of, int n, int set, int other) {
    std::vector<double> matrix(static_cast<std::size_t>(n * n));
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < n; ++k) at(matrix, n, i, k) = of(set * n + i, other * n + k);
    return matrix;
  };
  const auto whole = [&](const auto& of, int set, int other) {
    std::vector<double> matrix(static_cast<std::size_t>(all * all));
    std::vector<double> first = products(of, up, set, other),
                        second = products(of, down, set, other);
    for (int i = 0; i < up; ++i)
      for (int k = 0; k < up; ++k) at(matrix, all, i, k) = at(first, up, i, k);
    for (int i = 0; i < down; ++i)
      for (int k = 0; k < down; ++k) at(matrix, all, up + i, up + k) = at(second, down, i, k);
    return matrix;
  };
  for (int set = 0; set < 3; ++set)
    for (int other = set; other < 3; ++other) {
      both.add(set, other, whole(s, set, other), whole(h, set, other));
      one_down.add(set, other, products(s, down, set, other), products(h, down, set, other));
      if (other < 2)
        one_up.add(set, other, products(s, up, set, other), products(h, up, set, other));
    }
  for (int set = 0; set < 3; ++set) {
    std::vector<double> found = both.orbitals(set), second = one_down.orbitals(set);
    std::vector<double> first(
        static_cast<std::size_t>(up * up));  // nothing of a set beyond the last
    if (set < 2) first = one_up.orbitals(set);
    for (int i = 0; i < up; ++i)
      for (int k = 0; k < up; ++k)
        EXPECT_EQ(at(found, all, i, k), at(first, up, i, k)) << set << " " << i << " " << k;
    for (int i = 0; i < down; ++i)
      for (int k = 0; k < down; ++k)
        EXPECT_EQ(at(found, all, up + i, up + k), at(second, down, i, k));
  }
}

}  // namespace
}  // namespace fg::test
