// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine needs of BLAS and LAPACK, by OpenBLAS on one thread: parallel work is that of the
// objects. The same numbers give the same bits on processors of one kind; OpenBLAS has kernels for
// each. Matrices are square, symmetric where said, and stored by rows without gaps.
#pragma once

#include <string>
#include <vector>

namespace fg::electrons::blas {

/// c = alpha a b + beta c.
void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c);

/// c = a a^T, the whole of it, exactly symmetric.
void multiply_by_transpose(int n, const double* a, double* c);

/// The eigenvalues, in ascending order, of the symmetric matrix `a`, whose rows become its
/// eigenvectors. Throws NumericsError if LAPACK's iteration does not end.
std::vector<double> eigenvectors(int n, double* a);

/// Version and kernels in use, as OpenBLAS describes itself.
std::string description();

}  // namespace fg::electrons::blas
