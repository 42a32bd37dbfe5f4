// SPDX-License-Identifier: BSD-3-Clause
//
// What is done with the points of two real orbitals while they are in the nearest cache. The
// orbitals are the real and the imaginary parts of complex numbers.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::electrons {

/// sums[i] += |points[i]|^2 for i < count.
void add_squares(const std::complex<double>* points, std::size_t count, double* sums) noexcept;

/// points[i] *= factors[i] for i < count.
void multiply_points(const double* factors, std::size_t count,
                     std::complex<double>* points) noexcept;

}  // namespace fg::electrons
