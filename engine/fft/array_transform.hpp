// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms along some axes of one contiguous array. What lies behind an axis is transformed while
// it is in the caches, along as many axes as fit there. The numbers are scaled there too. Axes are
// transformed in the order of a distributed transform, so that the bits are the same. The last axis
// is the first one on the way to waves, and the last one on the way back.
#pragma once

#include <complex>
#include <cstddef>
#include <vector>

#include "fft/lines/line_batch.hpp"

namespace fg::fft {

struct ArrayTransform {
  std::vector<std::ptrdiff_t> shape;  // of the points, slowest axis first; none is zero
  std::vector<int> axes;              // distinct
  Direction direction = Direction::forward;
  double factor = 1;  // of the result
};

/// Complex points and waves. The arrays are distinct, or the same.
/// Throws InputError for an array in which neighbours along an axis lie 2^31 numbers apart, or
/// more.
template <class Real>
void transform_array(const ArrayTransform& task, const std::complex<Real>* in,
                     std::complex<Real>* out);

/// Forward: real points, and of the last axis, which is among the axes, n/2 + 1 waves.
template <class Real>
void transform_real_array(const ArrayTransform& task, const Real* in, std::complex<Real>* out);

/// Backward: the inverse; `in` is not changed.
template <class Real>
void transform_array_to_real(const ArrayTransform& task, const std::complex<Real>* in, Real* out);

}  // namespace fg::fft
