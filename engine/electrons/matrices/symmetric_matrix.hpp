// SPDX-License-Identifier: BSD-3-Clause
//
// What must hold for a matrix of products of orbitals before its roots are taken.
#pragma once

#include <cstddef>
#include <span>

namespace fg::electrons {

/// Entries (i, k) and (k, i) may differ by this fraction of the largest entry.
inline constexpr double matrix_asymmetry = 1e-10;

/// Throws NumericsError if one of the n x n entries is not finite, or if they are not symmetric.
/// The error calls the matrix `name`, such as "overlap matrix".
void check_symmetric(int n, std::span<const double> matrix, const char* name);

/// Takes eigenvalues in ascending order. Throws NumericsError if the smallest is not above n 2^-52
/// of the largest.
void check_positive(std::span<const double> eigenvalues, const char* name);

}  // namespace fg::electrons
