// SPDX-License-Identifier: BSD-3-Clause
//
// The passes and tables for lines of one length. With n = r1 r2 ... a pass of radix r works on
// blocks of r m points. For each j < m it computes the r sums over points j, j + m, ... It
// multiplies wave k of them by exp(-2 pi i j k / (r m)), and leaves it in place. Each block then is
// r blocks of m points. The last pass has no factors (m = 1). After it, the waves are in mixed
// digit-reversed order, in which they go straight to their places in the output. A length with a
// prime factor above 13 is a convolution of a longer, convenient length:
//   X_k = conj(c_k) sum_j [x_j conj(c_j)] c_{k-j},   c_j = exp(pi i j^2 / n).
// Sources: W. M. Gentleman and G. Sande, AFIPS Fall 29, 563 (1966); L. I. Bluestein, IEEE Trans.
// Audio Electroacoust. 18, 451 (1970).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/aligned_vector.hpp"

namespace fg::fft {

/// Factors are stored as pairs (c, s), for a multiplication by c - i s.
template <class Real>
struct LinePass {
  int radix;
  int blocks;
  int below;                    // m
  AlignedVector<Real> factors;  // [m][radix - 1][2]; none in the last pass
};

template <class Real>
struct LinePlan {
  explicit LinePlan(int points);

  /// Points of the arrays that a transform works in.
  int rows() const noexcept { return longer == nullptr ? length : longer->length; }
  /// The bytes of all tables, also of the longer plan.
  std::size_t bytes() const noexcept;

  int length;
  std::vector<LinePass<Real>> passes;  // none for a convolution, and for a length of 1
  std::vector<std::int32_t>
      block_of_wave;  // the block of the last pass that has wave 0, 1, ... first

  std::shared_ptr<const LinePlan> longer;  // of the convolution
  AlignedVector<Real> chirp;               // [length][2]: the factors conj(c_j)
  AlignedVector<Real> spectrum;  // [rows][2]: the factors of the transform of c, divided by rows
};

extern template struct LinePlan<float>;
extern template struct LinePlan<double>;

}  // namespace fg::fft
