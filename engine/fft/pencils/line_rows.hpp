// SPDX-License-Identifier: BSD-3-Clause
//
// Copies between blocks of points, pieces and lines. Also parts a complex line into the two real
// lines of which it was made.
#pragma once

#include <complex>
#include <cstddef>

namespace fg::fft {

/// Rows of elements: begin of the first row, and distance between rows.
template <class T>
struct Rows {
  T* first;
  std::ptrdiff_t stride;
};

/// Copies `rows` rows of `length`.
template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) noexcept;

/// a[k] = re in[k], b[k] = im in[k].
template <class Real>
void part_line_pair(const std::complex<Real>* in, int length, Real* a, Real* b) noexcept;

namespace reference {

/// The same functions in plain C++.
template <class Real>
void copy_rows(Rows<const Real> from, int rows, int length, Rows<Real> to) noexcept;
template <class Real>
void part_line_pair(const std::complex<Real>* in, int length, Real* a, Real* b) noexcept;

}  // namespace reference

}  // namespace fg::fft
