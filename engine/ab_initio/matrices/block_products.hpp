// SPDX-License-Identifier: BSD-3-Clause
//
// Products of blocks of real orbitals on a share of the half sphere; a wave counts twice, G = 0
// once. Blocks are [orbitals][waves]; matrices are stored by rows.
#pragma once

#include <complex>
#include <cstddef>
#include <functional>
#include <span>

#include "electrons/matrices/row_products.hpp"

namespace fg::ab_initio {

/// a_i.sums[k] = <a_i|b_k> of any number of orbitals, rows of 2 `waves` numbers, and block b.
/// `between` is called every few milliseconds.
void overlap_rows(std::span<const electrons::InnerRow> a, const std::complex<double>* b, int n_b,
                  std::size_t waves, std::ptrdiff_t zero, const std::function<void()>& between);

}  // namespace fg::ab_initio
