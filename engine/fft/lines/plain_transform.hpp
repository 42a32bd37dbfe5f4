// SPDX-License-Identifier: BSD-3-Clause
//
// The transform of one line in long double, by the recursion over prime factors: slow and plain.
// The tables of long lines are made with it, and tests compare the kernels with it.
#pragma once

#include <complex>
#include <vector>

namespace fg::fft {

using LongComplex = std::complex<long double>;

/// X_k = sum_j x_j exp(-2 pi i j k / n)
std::vector<LongComplex> plain_transform(const std::vector<LongComplex>& line);

}  // namespace fg::fft
