// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of charges into the lines of a z-pencil. Charges are added in fixed point, in as many bits
// as they come in. So their sum does not depend on the order in which blocks arrive. Two real lines
// then make one complex line.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "fft/pencils/line_rows.hpp"

namespace fg {

/// The unit is 1 / single_charge_scale, or 1 / charge_scale in double precision.
template <class Real>
using ChargeSum = std::conditional_t<sizeof(Real) == sizeof(float), std::int32_t, std::int64_t>;

/// Elements after the last one of the lines to which these kernels may add zero.
inline constexpr std::size_t line_tail = 16;

/// lines += round(values * scale), for `rows` rows of `length`.
template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<ChargeSum<Real>> lines) noexcept;

/// out[k] = (a[k] + i b[k]) / scale; a and b become zero.
template <class Real>
void take_line_pair(ChargeSum<Real>* a, ChargeSum<Real>* b, int length,
                    std::complex<Real>* out) noexcept;

namespace reference {

/// The same functions in plain C++.
template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<ChargeSum<Real>> lines) noexcept;
template <class Real>
void take_line_pair(ChargeSum<Real>* a, ChargeSum<Real>* b, int length,
                    std::complex<Real>* out) noexcept;

}  // namespace reference

}  // namespace fg
