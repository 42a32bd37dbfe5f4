// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/spin_blocks.hpp"

#include <algorithm>

#include "electrons/matrices/blas.hpp"

namespace fg::ab_initio {

namespace {

/// Calls visit(place in the matrix of all orbitals, place in the block of the spin, numbers) for
/// each row of the block.
template <class Visit>
void for_each_row_of_spin(const Basis& basis, int spin, const Visit& visit) {
  const auto all = static_cast<std::size_t>(basis.orbitals());
  const auto first = static_cast<std::size_t>(basis.orbitals_of_spin(spin).begin);
  const auto n = static_cast<std::size_t>(basis.orbitals_of_spin(spin).size());
  for (std::size_t i = 0; i < n; ++i) visit((first + i) * all + first, i * n, n);
}

std::vector<double> block_of_spin(const Basis& basis, int spin, std::span<const double> matrix) {
  const auto n = static_cast<std::size_t>(basis.orbitals_of_spin(spin).size());
  std::vector<double> block(n * n);
  for_each_row_of_spin(basis, spin, [&](std::size_t whole, std::size_t part, std::size_t count) {
    std::copy_n(matrix.data() + whole, count, block.data() + part);
  });
  return block;
}

void put_block_of_spin(const Basis& basis, int spin, std::span<const double> block,
                       std::vector<double>& matrix) {
  for_each_row_of_spin(basis, spin, [&](std::size_t whole, std::size_t part, std::size_t count) {
    std::copy_n(block.data() + part, count, matrix.data() + whole);
  });
}

}  // namespace

std::vector<double> eigenvectors_of_spins(const Basis& basis, std::vector<double>& matrix) {
  if (basis.spins() == 1) return electrons::blas::eigenvectors(basis.orbitals(), matrix.data());
  std::vector<double> values, vectors(matrix.size());
  for (int spin = 0; spin < basis.spins(); ++spin) {
    std::vector<double> block = block_of_spin(basis, spin, matrix);
    const std::vector<double> some =
        electrons::blas::eigenvectors(basis.orbitals_of_spin(spin).size(), block.data());
    values.insert(values.end(), some.begin(), some.end());
    put_block_of_spin(basis, spin, block, vectors);
  }
  matrix = std::move(vectors);
  return values;
}

std::vector<double> eigenvalues_of_spins(const Basis& basis, std::vector<double>& matrix) {
  if (basis.spins() == 1) return electrons::blas::eigenvalues(basis.orbitals(), matrix.data());
  std::vector<double> values;
  for (int spin = 0; spin < basis.spins(); ++spin) {
    std::vector<double> block = block_of_spin(basis, spin, matrix);
    const std::vector<double> some =
        electrons::blas::eigenvalues(basis.orbitals_of_spin(spin).size(), block.data());
    values.insert(values.end(), some.begin(), some.end());
  }
  return values;
}

SubspaceOfSpins::SubspaceOfSpins(const Basis& basis, int atomic) : basis_(&basis) {
  for (int spin = 0; spin < basis.spins(); ++spin)
    spins_.emplace_back(basis.orbitals_of_spin(spin).size(), atomic);
}

int SubspaceOfSpins::sets() const noexcept {
  int most = 0;
  for (const Subspace& one : spins_) most = std::max(most, one.sets());
  return most;
}

void SubspaceOfSpins::add(int set, int other, std::span<const double> overlap,
                          std::span<const double> h) {
  if (spins_.size() == 1) return spins_[0].add(set, other, overlap, h);
  for (int spin = 0; spin < basis_->spins(); ++spin)
    spins_[static_cast<std::size_t>(spin)].add(set, other, block_of_spin(*basis_, spin, overlap),
                                               block_of_spin(*basis_, spin, h));
}

std::vector<double> SubspaceOfSpins::orbitals(int set) {
  if (spins_.size() == 1) return spins_[0].orbitals(set);
  const auto n = static_cast<std::size_t>(basis_->orbitals());
  std::vector<double> matrix(n * n);
  for (int spin = 0; spin < basis_->spins(); ++spin)
    put_block_of_spin(*basis_, spin, spins_[static_cast<std::size_t>(spin)].orbitals(set), matrix);
  return matrix;
}

}  // namespace fg::ab_initio
