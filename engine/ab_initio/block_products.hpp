// SPDX-License-Identifier: BSD-3-Clause
//
// Products of blocks of real orbitals on a share of the half sphere; a wave counts twice, G = 0
// once. Blocks are [orbitals][waves]; matrices are stored by rows.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::ab_initio {

/// overlaps[i * stride + k] = <a_i|b_k> of n_a and n_b orbitals.
void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept;

namespace reference {

void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept;

}  // namespace reference

}  // namespace fg::ab_initio
