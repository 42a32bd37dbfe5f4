// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "base/fixed_point.hpp"
#include "forces/mesh/charge_lines.hpp"

namespace fg::reference {

namespace {

std::int64_t to_fixed(double charge) {
  return charge_scale.to_fixed(charge);
}
std::int32_t to_fixed(float charge) {
  return static_cast<std::int32_t>(std::lrint(charge * single_charge_scale));
}

double from_fixed(std::int64_t sum) {
  return charge_scale.to_double(sum);
}
float from_fixed(std::int32_t sum) {
  return static_cast<float>(sum) / single_charge_scale;
}

}  // namespace

template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<ChargeSum<Real>> lines) noexcept {
  for (int r = 0; r < rows; ++r)
    for (int i = 0; i < length; ++i)
      lines.first[r * lines.stride + i] += to_fixed(values.first[r * values.stride + i]);
}

template <class Real>
void take_line_pair(ChargeSum<Real>* a, ChargeSum<Real>* b, int length,
                    std::complex<Real>* out) noexcept {
  for (int i = 0; i < length; ++i) {
    out[i] = {from_fixed(a[i]), from_fixed(b[i])};
    a[i] = b[i] = 0;
  }
}

template void add_charges(fft::Rows<const float>, int, int, fft::Rows<std::int32_t>) noexcept;
template void add_charges(fft::Rows<const double>, int, int, fft::Rows<std::int64_t>) noexcept;
template void take_line_pair(std::int32_t*, std::int32_t*, int, std::complex<float>*) noexcept;
template void take_line_pair(std::int64_t*, std::int64_t*, int, std::complex<double>*) noexcept;

}  // namespace fg::reference
