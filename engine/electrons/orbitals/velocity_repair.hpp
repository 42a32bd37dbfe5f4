// SPDX-License-Identifier: BSD-3-Clause
//
// How fast T = S^(-1/2) changes when S does. Free orbitals chi have S = <chi|chi>, and are made
// orthonormal by psi = chi T. So the velocities become
//   psi' = chi' T + chi T',  with S' = <chi'|chi> + <chi|chi'>,
// and then <psi'|psi> + <psi|psi'> = 0. With the eigenvectors U of S and its eigenvalues l,
//   (U^T T' U)_ij = (U^T S' U)_ij (l_i^(-1/2) - l_j^(-1/2)) / (l_i - l_j)
//                 = -(U^T S' U)_ij / (sqrt(l_i l_j) (sqrt(l_i) + sqrt(l_j))).
// The second form includes the limit for equal eigenvalues, -l^(-3/2) / 2. Source of the
// derivative: Higham, Functions of Matrices (2008), theorem 3.11. Units: those of S and of time.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_vector.hpp"

namespace fg::electrons {

/// It has room for its matrices, so that it allocates little; for one caller at a time.
class VelocityRepair {
 public:
  /// Takes matrices of n rows. Throws InputError if n is negative.
  explicit VelocityRepair(int n);

  /// T' from S and S'. All have n x n entries, by rows, and may be the same. T' is exactly
  /// symmetric, with the same bits on every call. Throws InternalError if the sizes are others.
  /// Throws NumericsError if an entry is not finite, if S or S' is not symmetric, or if S is not
  /// positive (symmetric_matrix.hpp).
  void compute(std::span<const double> s, std::span<const double> s_rate, std::span<double> t_rate);

 private:
  int n_;
  std::size_t size_;
  AlignedVector<double> vectors_, product_, turned_;
};

}  // namespace fg::electrons
