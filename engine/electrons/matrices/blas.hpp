// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine needs of BLAS and LAPACK, by OpenBLAS on one thread: parallel work is that of the
// objects. May be called by several threads at once; with an OpenBLAS that is built without threads
// they wait for each other. The same numbers give the same bits on processors of one kind; OpenBLAS
// has kernels for each. Matrices are stored by rows; but for the general product they are square,
// without gaps, and symmetric where said.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace fg::electrons::blas {

/// A factor of a product: its rows begin `stride` numbers apart.
struct Factor {
  const double* data;
  std::size_t stride;
  enum class Reading { as_stored, transposed } reading = Reading::as_stored;
};

/// c = alpha a b + beta c. As they are read, a has `rows` x `inner` numbers, and b has `inner` x
/// `columns`. The rows of c begin `stride` numbers apart. With beta = 0, c need not be set. Throws
/// InternalError if a size is above 2^31 - 1.
void multiply(std::size_t rows, std::size_t columns, std::size_t inner, double alpha, Factor a,
              Factor b, double beta, double* c, std::size_t stride);

/// c = alpha a b + beta c, all of n rows.
void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c);

/// c = a a^T, the whole of it, exactly symmetric.
void multiply_by_transpose(int n, const double* a, double* c);

/// The eigenvalues, in ascending order, of the symmetric matrix `a`, whose rows become its
/// eigenvectors. Throws NumericsError if LAPACK's iteration does not end.
std::vector<double> eigenvectors(int n, double* a);

/// The eigenvalues alone, in ascending order; `a` is destroyed. Throws as the other one.
std::vector<double> eigenvalues(int n, double* a);

/// Version and kernels in use, as OpenBLAS describes itself.
std::string description();

}  // namespace fg::electrons::blas
