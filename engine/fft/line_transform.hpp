// SPDX-License-Identifier: BSD-3-Clause
//
// Complex transforms of many lines at once: X_k = sum_j x_j exp(-+ 2 pi i j k / n), unnormalised.
// FFTW does the arithmetic. Plans use FFTW_ESTIMATE, so that the same build makes the same plan,
// and thus the same bits, every time.
#pragma once

#include <complex>
#include <memory>

namespace fg::fft {

enum class Direction { forward, backward };  // exponent -, +

/// The layout of the lines, in complex elements: element k of line (i, j) is at k*stride + i*inner
/// + j*outer.
struct LineLayout {
  int stride;
  int inner;
  int outer;
};

/// A batch of inner_count * outer_count lines.
struct LineBatch {
  int length;
  int inner_count;
  int outer_count;
  LineLayout in;
  LineLayout out;
};

/// A plan is made once and can be executed from any thread on any pair of arrays.
template <class Real>
class LineTransform {
 public:
  LineTransform(const LineBatch& batch, Direction direction);
  ~LineTransform();
  LineTransform(LineTransform&&) noexcept;
  LineTransform& operator=(LineTransform&&) noexcept;

  /// Both arrays must be aligned to 64 bytes and distinct. `in` is not changed.
  void execute(const std::complex<Real>* in, std::complex<Real>* out) const noexcept;

 private:
  struct Plan;
  std::unique_ptr<Plan> plan_;
};

extern template class LineTransform<float>;
extern template class LineTransform<double>;

}  // namespace fg::fft
