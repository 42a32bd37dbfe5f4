// SPDX-License-Identifier: BSD-3-Clause
//
// Two real lines share one complex transform, z = a + i b; afterwards
//   A_k = (Z_k + conj Z_{n-k}) / 2,   B_k = (Z_k - conj Z_{n-k}) / 2i.
// Line l of a pencil is paired with line l + pairs, so that rows stay contiguous on both sides.
// Source: Press et al., Numerical Recipes (2007), section 12.3.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::fft {

/// One row k: `z_k` and `z_minus_k` [pairs] give `a` and `b` [pairs], doubled. The code that scales
/// the spectrum includes the factor 1/2.
template <class Real>
void split_row(const std::complex<Real>* z_k, const std::complex<Real>* z_minus_k,
               std::size_t pairs, std::complex<Real>* a, std::complex<Real>* b) noexcept;

/// The inverse: Z_k = A_k + i B_k and Z_{n-k} = conj A_k + i conj B_k. The two outputs may be the
/// same row: for k = 0 and k = n/2, where A and B are real up to rounding. Then Z_{n-k} is kept.
template <class Real>
void merge_row(const std::complex<Real>* a, const std::complex<Real>* b, std::size_t pairs,
               std::complex<Real>* z_k, std::complex<Real>* z_minus_k) noexcept;

}  // namespace fg::fft
