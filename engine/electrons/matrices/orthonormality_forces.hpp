// SPDX-License-Identifier: BSD-3-Clause
//
// Forces of constraint that keep moving orbitals orthonormal. With masses m of their waves the
// forces are p X. Here p = c / m are the orbitals of the step over the masses, and X is symmetric.
//
// Positions: c~ have moved without the force. They become c~ + p X, with
//   A + X B + B^T X + X C X = 1,  A = <c~|c~>,  B = <p|c~>,  C = <p|p>.
// Newton's method solves this. The change d of X follows from d G + G d = -residual, where G is the
// symmetric part of <p|c~ + p X>. Conjugate gradients solve this equation, and need products only.
//
// Velocities: w becomes w + p Y, with
//   <c|w> + <w|c> + M Y + Y M = 0,  M = <c|p>.
// This takes Tr(Y M Y) away from the sum of <w|m|w>.
//
// Source: Tuckerman and Parrinello, J. Chem. Phys. 101, 1302 (1994); for the masses: Hutter,
// Tuckerman and Parrinello, J. Chem. Phys. 102, 859 (1995). Matrices are symmetric where said, and
// stored by rows.
#pragma once

#include <cstddef>
#include <span>

#include "base/aligned_vector.hpp"

namespace fg::electrons {

struct ConstraintReport {
  int iterations = 0;    // of Newton's method
  double deviation = 0;  // the largest component of A - 1
};

/// It has room for its matrices, so that it allocates once; for one caller at a time.
class OrthonormalityForces {
 public:
  /// Takes matrices of n rows.
  explicit OrthonormalityForces(int n);

  /// X, exactly symmetric, from A and C, exactly symmetric, and B: no component of the residual is
  /// larger than the tolerance. Throws NumericsError if the iteration does not come that far.
  ConstraintReport find(std::span<const double> a, std::span<const double> b,
                        std::span<const double> c, double tolerance, std::span<double> x);

  /// Tr(Y M Y), of <c|w> and of M, exactly symmetric. Throws NumericsError if M is not positive.
  double kinetic_part(std::span<const double> overlaps, std::span<const double> m);

 private:
  using Matrix = AlignedVector<double>;

  void multiply(std::span<const double> a, std::span<const double> b, Matrix& to) const;
  /// d of d G + G d = right, to the norm `relative` of the residual over that of `right`.
  void solve(double relative);

  int n_;
  std::size_t rows_;
  Matrix g_, right_, solution_, direction_, image_, product_;
};

}  // namespace fg::electrons
