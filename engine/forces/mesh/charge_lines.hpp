// SPDX-License-Identifier: BSD-3-Clause
//
// Conversion between blocks of mesh values and the lines of a z-pencil. Charges are added in fixed
// point (charge_scale), so that their sum does not depend on the order in which blocks arrive. Two
// real lines then make one complex line, and back.
#pragma once

#include <complex>
#include <cstddef>
#include <cstdint>

namespace fg {

/// Elements after the last one that these kernels may read (in blocks) or add zero to (in lines).
inline constexpr std::size_t line_tail = 8;

/// Rows of `length` elements: begin of the first row, and distance between rows.
template <class T>
struct Rows {
  T* first;
  std::ptrdiff_t stride;
};

/// lines += round(values * charge_scale), for `rows` rows of `length`.
template <class Real>
void add_charges(Rows<const Real> values, int rows, int length, Rows<std::int64_t> lines) noexcept;

/// out[k] = (a[k] + i b[k]) / charge_scale; a and b become zero.
template <class Real>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length, std::complex<Real>* out) noexcept;

/// a[k] = re in[k], b[k] = im in[k].
template <class Real>
void part_line_pair(const std::complex<Real>* in, int length, Real* a, Real* b) noexcept;

/// Copies `rows` rows of `length`.
template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) noexcept;

namespace reference {

/// The same functions in plain C++.
template <class Real>
void add_charges(Rows<const Real> values, int rows, int length, Rows<std::int64_t> lines) noexcept;
template <class Real>
void take_line_pair(std::int64_t* a, std::int64_t* b, int length, std::complex<Real>* out) noexcept;
template <class Real>
void part_line_pair(const std::complex<Real>* in, int length, Real* a, Real* b) noexcept;
template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) noexcept;

}  // namespace reference

}  // namespace fg
