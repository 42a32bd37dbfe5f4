// SPDX-License-Identifier: BSD-3-Clause
//
// What a search does with all coefficients of an orbital, each in one pass over memory. Such loops
// take as long as their data need to arrive. Complex coefficients are pairs of real numbers, n of
// them. `squares` has |G|^2 for each of these. Sums count each wave once. Their order depends on
// the width of SIMD only. Hartree atomic units.
#pragma once

#include <complex>
#include <cstddef>
#include <span>

namespace fg::ab_initio {

inline double* numbers(std::complex<double>* of) noexcept {
  return reinterpret_cast<double*>(of);
}
inline const double* numbers(const std::complex<double>* of) noexcept {
  return reinterpret_cast<const double*>(of);
}

/// to = |G|^2 psi / 2; returns the sum of |G|^2 |psi|^2.
double kinetic_line(const double* squares, const double* psi, std::size_t n, double* to) noexcept;

struct GradientSums {
  double largest;  // |gradient|^2 of a complex coefficient
  double slope;    // <gradient|direction>
};
/// gradient = h_psi - inside, where `inside` is the part in the space of the orbitals. `gradient`
/// may be `h_psi`.
GradientSums gradient_line(const double* h_psi, const double* inside, const double* direction,
                           std::size_t n, double* gradient) noexcept;

/// direction -= inside; returns <gradient|direction>.
double direction_line(const double* inside, const double* gradient, std::size_t n,
                      double* direction) noexcept;

/// to = K y, where K = 1 / (|G|^2 / 2 + below).
void precondition_line(const double* squares, double below, const double* y, std::size_t n,
                       double* to) noexcept;

/// A step of a search and the change of the gradient that came with it, rounded to float.
struct NewPair {
  const double *direction, *gradient, *gradient_before;
  double length;
};
void new_pair_line(const NewPair& of, std::size_t n, float* step, float* change) noexcept;

void widen_line(const float* from, std::size_t n, double* to) noexcept;

/// What `search_line` adds up: d = -(scale K (g - sum of by_change y) + sum of by_step s).
struct SearchTerms {
  std::span<const float* const> changes, steps;
  std::size_t first;  // of their numbers
  const double *by_change, *by_step;
  double scale;
};
void search_line(const double* squares, double below, const double* gradient,
                 const SearchTerms& terms, std::size_t n, double* direction) noexcept;

namespace reference {

double kinetic_line(const double* squares, const double* psi, std::size_t n, double* to) noexcept;
GradientSums gradient_line(const double* h_psi, const double* inside, const double* direction,
                           std::size_t n, double* gradient) noexcept;
double direction_line(const double* inside, const double* gradient, std::size_t n,
                      double* direction) noexcept;
void precondition_line(const double* squares, double below, const double* y, std::size_t n,
                       double* to) noexcept;
void new_pair_line(const NewPair& of, std::size_t n, float* step, float* change) noexcept;
void widen_line(const float* from, std::size_t n, double* to) noexcept;
void search_line(const double* squares, double below, const double* gradient,
                 const SearchTerms& terms, std::size_t n, double* direction) noexcept;

}  // namespace reference
}  // namespace fg::ab_initio
