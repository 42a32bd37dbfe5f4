// SPDX-License-Identifier: BSD-3-Clause
//
// The kernels that transform a batch of lines, for the SIMD target of this processor.
#pragma once

#include <cstddef>

#include "fft/lines/line_batch.hpp"
#include "fft/lines/line_plan.hpp"

namespace fg::fft {

/// The bytes of memory that a kernel works in, on the target with the longest vectors: two arrays
/// of rows of complex numbers.
constexpr std::size_t work_bytes(int rows) noexcept {
  return std::size_t{2} * 2 * simd_alignment * static_cast<std::size_t>(rows);
}

template <class Real>
struct LineJob {
  const LinePlan<Real>* plan;
  LineBatch batch;
  LinePlaces places;
  Direction direction;
  const Real* in;
  Real* out;
  Real* work;  // work_bytes(plan->rows()), aligned to simd_alignment
};

template <class Real>
void transform_lines(const LineJob<Real>& job) noexcept;

}  // namespace fg::fft
