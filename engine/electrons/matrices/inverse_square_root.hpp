// SPDX-License-Identifier: BSD-3-Clause
//
// T = S^(-1/2) of a symmetric positive matrix, such as the overlap matrix of states. Near the unit
// matrix it comes from the coupled Newton-Schulz iteration, which has only products of matrices:
//   Y_0 = S, Z_0 = I;  R = I - Z Y;  Y <- Y + Y R / 2,  Z <- Z + R Z / 2;  Y -> S^(1/2), Z -> T.
// The norm of R falls from r to 3/4 r^2 + 1/4 r^3. Elsewhere T comes from eigenvectors. Source:
// Higham, Numerical Algorithms 15, 227 (1997), eq. 2.6.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_vector.hpp"

namespace fg::electrons {

enum class InverseRootMethod { newton_schulz, eigenvectors };

struct InverseRootReport {
  InverseRootMethod method = InverseRootMethod::newton_schulz;
  int products = 0;     // of two matrices in the iteration
  double distance = 0;  // an upper bound of the 2-norm of I - S
};

/// It has room for its matrices, so that it allocates once; for one caller at a time.
class InverseSquareRoot {
 public:
  /// Eigenvectors are used from this distance from I on: the iteration would take nine rounds or
  /// more, of three products each.
  static constexpr double farthest = 0.9;

  /// Takes matrices of n rows. Throws InputError if n is negative.
  explicit InverseSquareRoot(int n);

  /// `s` and `t` have n x n entries, by rows; they may be the same. `t` is exactly symmetric, and
  /// has the same bits on every call. Throws InternalError if the sizes are others. Throws
  /// NumericsError if an entry is not finite, or if `s` is not symmetric or not positive
  /// (symmetric_matrix.hpp).
  InverseRootReport compute(std::span<const double> s, std::span<double> t);

 private:
  bool iterate(InverseRootReport& report);
  void by_eigenvectors(std::span<const double> s);

  int n_;
  std::size_t size_;
  AlignedVector<double> y_, z_, r_, product_;
};

}  // namespace fg::electrons
