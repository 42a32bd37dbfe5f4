// SPDX-License-Identifier: BSD-3-Clause
#include "base/fixed_point.hpp"
#include "forces/mesh/charge_lines.hpp"

namespace fg::reference {

template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < length; ++i)
      lines.first[r * lines.stride + i] +=
          charge_scale.to_fixed(values.first[r * values.stride + i]);
}

template <class Real>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length,
                    std::complex<Real>* out) noexcept {
  for (int i = 0; i < length; ++i) {
    out[i] = {static_cast<Real>(charge_scale.to_double(a[i])),
              static_cast<Real>(charge_scale.to_double(b[i]))};
    a[i] = b[i] = 0;
  }
}

template void add_charges(fft::Rows<const float>, int, int, fft::Rows<std::int64_t>) noexcept;
template void add_charges(fft::Rows<const double>, int, int, fft::Rows<std::int64_t>) noexcept;
template void take_line_pair(std::int64_t*, std::int64_t*, int, std::complex<float>*) noexcept;
template void take_line_pair(std::int64_t*, std::int64_t*, int, std::complex<double>*) noexcept;

}  // namespace fg::reference
