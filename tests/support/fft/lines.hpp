// SPDX-License-Identifier: BSD-3-Clause
//
// Batches of lines in arrays of several layouts, with random points that single precision holds.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "base/aligned_vector.hpp"
#include "fft/lines/line_batch.hpp"

namespace fg::test {

using fft::LineBatch;
using fft::LineLayout;

enum class LineOrder { side_by_side, contiguous, far_apart };
inline constexpr std::array line_orders{LineOrder::side_by_side, LineOrder::contiguous,
                                        LineOrder::far_apart};

/// The layout of inner * outer lines of n points; far apart: every other element, in reverse roles.
inline LineLayout layout_of(LineOrder order, int n, int inner, int outer) {
  switch (order) {
    case LineOrder::side_by_side:
      return {inner, 1, n * inner};
    case LineOrder::contiguous:
      return {1, n, n * inner};
    default:
      return {2 * inner * outer, 2 * outer, 2};
  }
}

/// An array for any of the layouts, and room around it that must keep its value.
template <class Real>
struct LineArray {
  static constexpr std::complex<Real> untouched{-7, 7};
  static constexpr std::size_t margin = 64;

  LineArray(int n, int inner, int outer, const LineLayout& lines)
      : length(n),
        inner_count(inner),
        layout(lines),
        values(static_cast<std::size_t>(2) * n * inner * outer + 2 * margin, untouched) {}

  std::complex<Real>* data() { return values.data() + margin; }
  const std::complex<Real>* data() const { return values.data() + margin; }
  /// Element k of line l, counted through all inner lines first.
  std::complex<Real>& at(int l, int k) { return data()[place(l, k)]; }
  const std::complex<Real>& at(int l, int k) const { return data()[place(l, k)]; }

  std::size_t place(int l, int k) const {
    return static_cast<std::size_t>(k) * layout.stride +
           static_cast<std::size_t>(l % inner_count) * layout.inner +
           static_cast<std::size_t>(l / inner_count) * layout.outer;
  }

  int length, inner_count;
  LineLayout layout;
  AlignedVector<std::complex<Real>> values;
};

/// Point k of line l of length n, the same for every layout.
inline std::complex<float> sample_point(int n, int l, int k) {
  std::minstd_rand random(7919U * static_cast<unsigned>(n) + 104729U * static_cast<unsigned>(l) +
                          1299709U * static_cast<unsigned>(k) + 1);
  random.discard(2);
  std::uniform_real_distribution<float> unit(-1, 1);
  const float re = unit(random);
  return {re, unit(random)};
}

template <class Real>
void fill_with_samples(LineArray<Real>& lines, int count) {
  for (int l = 0; l < count; ++l)
    for (int k = 0; k < lines.length; ++k) lines.at(l, k) = sample_point(lines.length, l, k);
}

}  // namespace fg::test
