// SPDX-License-Identifier: BSD-3-Clause
//
// Plain twins of functions of `fft/lines`. Each does what the engine's function of the same name
// does; mirror_waves takes its factors from the formula.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::fft::reference {

void mirror_waves(int length, bool to_waves, const std::complex<double>* in,
                  std::complex<double>* out) noexcept;

template <class Real>
void split_row(const std::complex<Real>* z_k, const std::complex<Real>* z_minus_k,
               std::size_t pairs, std::complex<Real>* a, std::complex<Real>* b) noexcept;
template <class Real>
void merge_row(const std::complex<Real>* a, const std::complex<Real>* b, std::size_t pairs,
               std::complex<Real>* z_k, std::complex<Real>* z_minus_k) noexcept;

}  // namespace fg::fft::reference
