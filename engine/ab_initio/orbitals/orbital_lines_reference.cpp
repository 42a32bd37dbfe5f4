// SPDX-License-Identifier: BSD-3-Clause
#include <algorithm>

#include "ab_initio/orbitals/orbital_lines.hpp"

namespace fg::ab_initio::reference {

double kinetic_line(const double* squares, const double* psi, std::size_t n, double* to) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    to[i] = squares[i] * psi[i] / 2;
    sum += squares[i] * psi[i] * psi[i];
  }
  return sum;
}

GradientSums gradient_line(const double* h_psi, const double* inside, const double* direction,
                           std::size_t n, double* gradient) noexcept {
  GradientSums sums{};
  for (std::size_t i = 0; i < n; ++i) {
    gradient[i] = h_psi[i] - inside[i];
    sums.slope += gradient[i] * direction[i];
  }
  for (std::size_t i = 0; i < n; i += 2)
    sums.largest =
        std::max(sums.largest, gradient[i] * gradient[i] + gradient[i + 1] * gradient[i + 1]);
  return sums;
}

double direction_line(const double* inside, const double* gradient, std::size_t n,
                      double* direction) noexcept {
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    direction[i] -= inside[i];
    sum += gradient[i] * direction[i];
  }
  return sum;
}

void precondition_line(const double* squares, double below, const double* y, std::size_t n,
                       double* to) noexcept {
  for (std::size_t i = 0; i < n; ++i) to[i] = y[i] / (squares[i] / 2 + below);
}

void new_pair_line(const NewPair& of, std::size_t n, float* step, float* change) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    step[i] = static_cast<float>(of.length * of.direction[i]);
    change[i] = static_cast<float>(of.gradient[i] - of.gradient_before[i]);
  }
}

void widen_line(const float* from, std::size_t n, double* to) noexcept {
  for (std::size_t i = 0; i < n; ++i) to[i] = from[i];
}

void search_line(const double* squares, double below, const double* gradient,
                 const SearchTerms& terms, std::size_t n, double* direction) noexcept {
  for (std::size_t i = 0; i < n; ++i) {
    double q = gradient[i];
    for (std::size_t p = 0; p < terms.changes.size(); ++p)
      q -= terms.by_change[p] * static_cast<double>(terms.changes[p][terms.first + i]);
    double d = -terms.scale * q / (squares[i] / 2 + below);
    for (std::size_t p = 0; p < terms.steps.size(); ++p)
      d -= terms.by_step[p] * static_cast<double>(terms.steps[p][terms.first + i]);
    direction[i] = d;
  }
}

}  // namespace fg::ab_initio::reference
