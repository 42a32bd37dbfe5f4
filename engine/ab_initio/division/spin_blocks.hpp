// SPDX-License-Identifier: BSD-3-Clause
//
// Matrices of the orbitals of all spins: a block for each spin on the diagonal, and 0 elsewhere.
// What does not follow from products and functions of matrices is done spin by spin. Otherwise
// eigenvectors of equal eigenvalues would mix the spins. With one spin there is one block.
#pragma once

#include <span>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/subspace.hpp"

namespace fg::ab_initio {

/// Returns the eigenvalues of each spin, rising, and puts the eigenvectors, in rows, in place of
/// the symmetric `matrix` [orbitals][orbitals].
std::vector<double> eigenvectors_of_spins(const Basis& basis, std::vector<double>& matrix);

/// The same without eigenvectors, for which `matrix` is overwritten.
std::vector<double> eigenvalues_of_spins(const Basis& basis, std::vector<double>& matrix);

/// A Subspace for each spin. One with fewer orbitals has more sets of atomic orbitals.
class SubspaceOfSpins {
 public:
  SubspaceOfSpins(const Basis& basis, int atomic);

  /// The largest number of sets; for spins with fewer ones the last sets are not read.
  int sets() const noexcept;
  /// As those of Subspace, for matrices of all orbitals.
  void add(int set, int other, std::span<const double> overlap, std::span<const double> h);
  std::vector<double> orbitals(int set);

 private:
  const Basis* basis_;
  std::vector<Subspace> spins_;
};

}  // namespace fg::ab_initio
