// SPDX-License-Identifier: BSD-3-Clause
//
// Products of blocks of real orbitals on a share of the half sphere; a wave counts twice, G = 0
// once. Blocks are [orbitals][waves]; matrices are stored by rows.
#pragma once

#include <complex>
#include <cstddef>
#include <span>

namespace fg::ab_initio {

/// Sum over the share of w Re(a* b). `zero`: where G = 0 is, or -1.
double inner_product(std::span<const std::complex<double>> a,
                     std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept;

/// overlaps[i * stride + k] = <a_i|b_k> of n_a and n_b orbitals.
void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride);

/// to_k = sum_i matrix[i * stride + k] a_i, or added to it if `adds`.
void multiply_block(const std::complex<double>* a, int n_a, const double* matrix, int stride,
                    int n_to, std::size_t waves, bool adds, std::complex<double>* to);

namespace reference {

double inner_product(std::span<const std::complex<double>> a,
                     std::span<const std::complex<double>> b, std::ptrdiff_t zero) noexcept;
void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept;
void multiply_block(const std::complex<double>* a, int n_a, const double* matrix, int stride,
                    int n_to, std::size_t waves, bool adds, std::complex<double>* to) noexcept;

}  // namespace reference

}  // namespace fg::ab_initio
