// SPDX-License-Identifier: BSD-3-Clause
//
// Complex transforms of many lines at once: X_k = sum_j x_j exp(-+ 2 pi i j k / n), unnormalised.
// A line has the same bits whatever its batch, its place in it, its neighbours and the layouts.
#pragma once

#include <complex>
#include <memory>

#include "fft/lines/line_batch.hpp"

namespace fg::fft {

template <class Real>
struct LinePlan;

/// It is made once, and cheap to copy. It can be executed from any thread on any pair of arrays,
/// also by several threads at the same time.
template <class Real>
class LineTransform {
 public:
  /// Throws InternalError if a length or a count is below 1.
  LineTransform(const LineBatch& batch, Direction direction);

  /// The arrays must not overlap, or be the same with the same layout for input and output; `in` is
  /// not changed otherwise. Works on 256 kB of the stack. Some lines are too long for it: those of
  /// more than 1024 points, or 512 if the length has a prime factor above 13. They use memory of
  /// the plan and its copies, for which threads wait.
  void execute(const std::complex<Real>* in, std::complex<Real>* out) const noexcept {
    execute(in, out, {});
  }
  /// The same for lines of which only some elements are there. The tables have as many places as a
  /// line has points. The bits are those of lines with the missing elements as zeros, but for the
  /// sign of zeros.
  void execute(const std::complex<Real>* in, std::complex<Real>* out,
               const LinePlaces& places) const noexcept;

 private:
  struct SharedWork;

  std::shared_ptr<const LinePlan<Real>> plan_;
  LineBatch batch_;
  Direction direction_;
  std::shared_ptr<SharedWork> shared_;
};

extern template class LineTransform<float>;
extern template class LineTransform<double>;

}  // namespace fg::fft
