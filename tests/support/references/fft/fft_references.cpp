// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/fft/fft_references.hpp"

#include <cmath>
#include <numbers>

namespace fg::fft::reference {

void mirror_waves(int length, bool to_waves, const std::complex<double>* in,
                  std::complex<double>* out) noexcept {
  const std::complex<double> i(0, 1);
  const int m = length / 2;
  for (int k = 1; k < m; ++k) {
    const std::complex<double> turn = std::polar(1.0, 2 * std::numbers::pi * k / length);
    const std::complex<double> mirrored = std::conj(in[m - k]);
    if (to_waves)
      out[k] = (in[k] + mirrored) / 2.0 - i * std::conj(turn) * (in[k] - mirrored) / 2.0;
    else
      out[k] = in[k] + mirrored + i * turn * (in[k] - mirrored);
  }
}

template <class Real>
void split_row(const std::complex<Real>* z_k, const std::complex<Real>* z_minus_k,
               std::size_t pairs, std::complex<Real>* a, std::complex<Real>* b) noexcept {
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::complex<Real> v = z_k[p], w = z_minus_k[p];
    a[p] = {v.real() + w.real(), v.imag() - w.imag()};
    b[p] = {v.imag() + w.imag(), w.real() - v.real()};
  }
}

template <class Real>
void merge_row(const std::complex<Real>* a, const std::complex<Real>* b, std::size_t pairs,
               std::complex<Real>* z_k, std::complex<Real>* z_minus_k) noexcept {
  for (std::size_t p = 0; p < pairs; ++p) {
    const std::complex<Real> v = a[p], w = b[p];
    z_k[p] = {v.real() - w.imag(), v.imag() + w.real()};
    z_minus_k[p] = {v.real() + w.imag(), w.real() - v.imag()};
  }
}

template void split_row(const std::complex<float>*, const std::complex<float>*, std::size_t,
                        std::complex<float>*, std::complex<float>*) noexcept;
template void split_row(const std::complex<double>*, const std::complex<double>*, std::size_t,
                        std::complex<double>*, std::complex<double>*) noexcept;
template void merge_row(const std::complex<float>*, const std::complex<float>*, std::size_t,
                        std::complex<float>*, std::complex<float>*) noexcept;
template void merge_row(const std::complex<double>*, const std::complex<double>*, std::size_t,
                        std::complex<double>*, std::complex<double>*) noexcept;

}  // namespace fg::fft::reference
