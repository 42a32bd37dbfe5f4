// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>
#include <complex>
#include <numbers>

#include "fft/lines/mirrored_waves.hpp"

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

}  // namespace fg::fft::reference
