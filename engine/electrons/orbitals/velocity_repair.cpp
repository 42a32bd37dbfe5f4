// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/orbitals/velocity_repair.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "electrons/matrices/blas.hpp"
#include "electrons/matrices/symmetric_matrix.hpp"

namespace fg::electrons {

VelocityRepair::VelocityRepair(int n) : n_(n), size_(static_cast<std::size_t>(n) * n) {
  if (n < 0)
    throw InputError({.what = "a matrix cannot have a negative number of rows",
                      .value = std::to_string(n),
                      .hint = "give the number of states"});
  for (AlignedVector<double>* matrix : {&vectors_, &product_, &turned_}) matrix->resize(size_);
}

void VelocityRepair::compute(std::span<const double> s, std::span<const double> s_rate,
                             std::span<double> t_rate) {
  FG_CHECK(s.size() == size_ && s_rate.size() == size_ && t_rate.size() == size_);
  if (n_ == 0) return;
  check_symmetric(n_, s, "overlap matrix");
  check_symmetric(n_, s_rate, "rate of the overlap matrix");
  using blas::Factor;
  const std::size_t n = static_cast<std::size_t>(n_);
  const auto multiply = [n](Factor a, Factor b, double* c) {
    blas::multiply(n, n, n, 1, a, b, 0, c, n);
  };
  std::copy(s.begin(), s.end(), vectors_.begin());
  const std::vector<double> values = blas::eigenvectors(n_, vectors_.data());
  check_positive(values, "overlap matrix");
  // The rows of V are the eigenvectors: V S' V^T, its entries divided, and back.
  const Factor v{vectors_.data(), n}, v_transposed{vectors_.data(), n, Factor::Reading::transposed};
  multiply(v, {s_rate.data(), n}, product_.data());
  multiply({product_.data(), n}, v_transposed, turned_.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k) {
      const double a = std::sqrt(values[i]), b = std::sqrt(values[k]);
      turned_[i * n + k] /= -(a * b * (a + b));
    }
  multiply(v_transposed, {turned_.data(), n}, product_.data());
  multiply({product_.data(), n}, v, turned_.data());
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      t_rate[i * n + k] = 0.5 * (turned_[i * n + k] + turned_[k * n + i]);
}

}  // namespace fg::electrons
