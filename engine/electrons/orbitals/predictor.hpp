// SPDX-License-Identifier: BSD-3-Clause
//
// The first orbitals of a step from those of steps before, by the always stable predictor of order
// k. It is made to be nearly reversible in time:
//   predicted(n + 1) = sum over j = 1 ... k + 2 of B_j psi(n + 1 - j),
//   B_j = (-1)^(j + 1) j C(2 k + 4, k + 2 - j) / C(2 k + 2, k + 1).
// If the iterations are few and end before convergence, the corrector damps what would otherwise
// grow:
//   psi(n + 1) = w corrected + (1 - w) predicted,  w = (k + 2) / (2 k + 3).
// Source: Kolafa, J. Comput. Chem. 25, 335 (2004), doi:10.1002/jcc.10385. With k = -1 the
// prediction is the last step.
//
// Ground states of two steps may differ by a turn of the orbitals among themselves. So orbitals of
// the past are first turned towards the present ones. The orthogonal matrix U makes the sum of
// |sum_i past_i U_ik - now_k|^2 least. It is the polar factor of the matrix O_ik = <past_i|now_k>:
//   U = O (O^T O)^(-1/2).
// Sources: Arias, Payne and Joannopoulos, Phys. Rev. B 45, 1538 (1992); for this factor Higham,
// Functions of Matrices (2008), chapter 8. Plain numbers without units.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "base/aligned_vector.hpp"
#include "electrons/matrices/inverse_square_root.hpp"

namespace fg::electrons {

inline constexpr int least_predictor_order = -1, largest_predictor_order = 8;

/// B_1 ... B_(k + 2), for the last step first; their sum is 1. Throws InputError if k is not within
/// the limits above.
std::vector<double> predictor_coefficients(int order);

/// w of the corrector. Throws as `predictor_coefficients`.
double corrector_share(int order);

/// The order that so many steps allow. It is `order`, or less at the beginning of a run, when fewer
/// than order + 2 steps are kept. At least -1; `kept` is at least 1.
int possible_predictor_order(int order, int kept) noexcept;

/// The turn of past orbitals, with room for its matrices; for one caller at a time.
class OrbitalAlignment {
 public:
  /// Takes n orbitals. Throws InputError if n is negative.
  explicit OrbitalAlignment(int n);

  /// U from O. Both have n x n entries, by rows, and may be the same. Throws InternalError if the
  /// sizes are others. Throws NumericsError if an entry is not finite, or if O has no polar factor.
  /// It has none if its smallest singular value is below 1e-8 or so of its largest. This happens
  /// when a present orbital has nothing in common with those of the past.
  void compute(std::span<const double> overlaps, std::span<double> turn);

 private:
  int n_;
  std::size_t size_;
  InverseSquareRoot root_;
  AlignedVector<double> product_, overlaps_;
};

}  // namespace fg::electrons
