// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of the products of blocks of orbitals and of the two loops of a search.
#pragma once

#include <complex>
#include <cstddef>
#include <span>

#include "ab_initio/orbitals/search_memory.hpp"

namespace fg::ab_initio::reference {

/// overlaps[i * stride + k] = <a_i|b_k> of n_a and n_b orbitals, [orbitals][waves] on a half
/// sphere.
void overlap_blocks(const std::complex<double>* a, int n_a, const std::complex<double>* b, int n_b,
                    std::size_t waves, std::ptrdiff_t zero, double* overlaps, int stride) noexcept;

struct Pair {
  SearchMemory::Vector step, change;
};

/// The two loops as the source has them, on whole vectors [rows][waves]. Pairs: the newest first.
SearchMemory::Vector search_direction(std::span<const Pair> pairs,
                                      const SearchMemory::Vector& gradient,
                                      std::span<const double> below,
                                      std::span<const double> squares, std::ptrdiff_t zero);

}  // namespace fg::ab_initio::reference
