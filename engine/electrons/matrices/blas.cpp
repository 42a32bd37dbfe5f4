// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/matrices/blas.hpp"

#include <cblas.h>

#include <cstddef>
#include <limits>
#include <mutex>

#include "base/error.hpp"

// LAPACK has no header of its own. NOLINTNEXTLINE(readability-identifier-naming)
extern "C" void dsyevd_(const char* job, const char* triangle, const int* n, double* a,
                        const int* stride, double* values, double* work, const int* work_size,
                        int* integers, const int* integers_size, int* info);

namespace fg::electrons::blas {

namespace {

/// Held while the library works. OpenBLAS without threads of its own has one set of buffers, which
/// two callers would spoil for each other.
[[nodiscard]] std::unique_lock<std::mutex> turn() {
  // With OpenMP each thread of ours has to say it.
  thread_local const bool done = (openblas_set_num_threads(1), true);
  static_cast<void>(done);
  static std::mutex alone;
  static const bool one_at_a_time = openblas_get_parallel() == OPENBLAS_SEQUENTIAL;
  return one_at_a_time ? std::unique_lock(alone) : std::unique_lock<std::mutex>();
}

CBLAS_TRANSPOSE transposition(Factor::Reading reading) {
  return reading == Factor::Reading::transposed ? CblasTrans : CblasNoTrans;
}

int checked(std::size_t size) {
  FG_CHECK(size <= static_cast<std::size_t>(std::numeric_limits<int>::max()));
  return static_cast<int>(size);
}

}  // namespace

void multiply(std::size_t rows, std::size_t columns, std::size_t inner, double alpha, Factor a,
              Factor b, double beta, double* c, std::size_t stride) {
  if (rows == 0 || columns == 0) return;
  if (inner == 0) {
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < columns; ++k)
        c[i * stride + k] = beta == 0 ? 0 : beta * c[i * stride + k];
    return;
  }
  const auto mine = turn();
  cblas_dgemm(CblasRowMajor, transposition(a.reading), transposition(b.reading), checked(rows),
              checked(columns), checked(inner), alpha, a.data, checked(a.stride), b.data,
              checked(b.stride), beta, c, checked(stride));
}

void multiply(int n, double alpha, const double* a, const double* b, double beta, double* c) {
  if (n == 0) return;
  const auto mine = turn();
  cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, n, n, n, alpha, a, n, b, n, beta, c, n);
}

void multiply_by_transpose(int n, const double* a, double* c) {
  if (n == 0) return;
  const auto mine = turn();
  cblas_dsyrk(CblasRowMajor, CblasLower, CblasNoTrans, n, n, 1.0, a, n, 0.0, c, n);
  for (std::ptrdiff_t i = 0; i < n; ++i)
    for (std::ptrdiff_t k = i + 1; k < n; ++k) c[i * n + k] = c[k * n + i];
}

namespace {

/// `job`: "V" with vectors, "N" without.
std::vector<double> solve(const char* job, int n, double* a) {
  std::vector<double> values(static_cast<std::size_t>(n));
  if (n == 0) return values;
  const auto mine = turn();
  // Columns of Fortran are our rows.
  double best_size = 0;
  int best_integers = 0, info = 0;
  const int ask = -1;
  dsyevd_(job, "L", &n, a, &n, values.data(), &best_size, &ask, &best_integers, &ask, &info);
  const int size = static_cast<int>(best_size);
  std::vector<double> work(static_cast<std::size_t>(size));
  std::vector<int> integers(static_cast<std::size_t>(best_integers));
  dsyevd_(job, "L", &n, a, &n, values.data(), work.data(), &size, integers.data(), &best_integers,
          &info);
  FG_CHECK(info >= 0);
  if (info > 0)
    throw NumericsError({.what = "the eigenvalues of a matrix were not found",
                         .where = "LAPACK's dsyevd",
                         .value = "info " + std::to_string(info),
                         .hint = "a shorter time step may help"});
  return values;
}

}  // namespace

std::vector<double> eigenvectors(int n, double* a) {
  return solve("V", n, a);
}

std::vector<double> eigenvalues(int n, double* a) {
  return solve("N", n, a);
}

std::string description() {
  return openblas_get_config();
}

}  // namespace fg::electrons::blas
