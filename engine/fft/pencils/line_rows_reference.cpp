// SPDX-License-Identifier: BSD-3-Clause
#include "fft/pencils/line_rows.hpp"

namespace fg::fft::reference {

template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) noexcept {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < length; ++i) to.first[r * to.stride + i] = from.first[r * from.stride + i];
}

template <class Real>
void part_line_pair(const std::complex<Real>* in, int length, Real* a, Real* b) noexcept {
  for (int i = 0; i < length; ++i) a[i] = in[i].real(), b[i] = in[i].imag();
}

template void copy_rows(Rows<const float>, int, int, Rows<float>) noexcept;
template void copy_rows(Rows<const double>, int, int, Rows<double>) noexcept;
template void part_line_pair(const std::complex<float>*, int, float*, float*) noexcept;
template void part_line_pair(const std::complex<double>*, int, double*, double*) noexcept;

}  // namespace fg::fft::reference
