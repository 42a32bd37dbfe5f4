// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of charges into the lines of a z-pencil. Charges are added in fixed point (charge_scale),
// so that their sum does not depend on the order in which blocks arrive. Two real lines then make
// one complex line.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

#include "fft/pencils/line_rows.hpp"

namespace fg {

/// Elements after the last one that these kernels may read (in blocks) or add zero to (in lines).
inline constexpr std::size_t line_tail = 8;

/// lines += round(values * charge_scale), for `rows` rows of `length`.
template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept;

/// out[k] = (a[k] + i b[k]) / charge_scale; a and b become zero.
template <class Real>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length, std::complex<Real>* out) noexcept;

namespace reference {

/// The same functions in plain C++.
template <class Real>
void add_charges(fft::Rows<const Real> values, int rows, int length,
                 fft::Rows<std::int64_t> lines) noexcept;
template <class Real>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length, std::complex<Real>* out) noexcept;

}  // namespace reference

}  // namespace fg
