// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms of many real lines, each by itself, so that the bits of a line do not depend on its
// neighbours. A line of even length n is a complex line of n/2 numbers z_j = x_2j + i x_2j+1, and
//   X_k = (Z_k + conj Z_{n/2-k}) / 2 - i exp(-2 pi i k / n) (Z_k - conj Z_{n/2-k}) / 2.
// A line of odd length is transformed as a complex one without imaginary parts. Source: Press et
// al., Numerical Recipes (2007), section 12.3.2.
#pragma once

#include <complex>

#include "base/aligned_vector.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/lines/mirrored_waves.hpp"

namespace fg::fft {

template <class Real>
class RealLines {
 public:
  using Complex = std::complex<Real>;
  RealLines(int length, int lines);

  int waves() const noexcept { return length_ / 2 + 1; }

  /// [lines][length] real to [lines][length/2 + 1] complex, unnormalised. The arrays are distinct.
  void forward(const Real* in, Complex* out) noexcept;
  /// The inverse, times `length`. The imaginary parts of the waves 0 and n/2 are taken as zero.
  void backward(const Complex* in, Real* out) noexcept;

 private:
  /// Lines are transformed a few at a time, so that what lies between the steps stays in the
  /// nearest caches.
  struct Part {
    int lines;
    LineTransform<Real> forward, backward;
  };
  Part part_of(int lines) const;
  template <class Each>
  void for_each_part(Each&& each);
  void forward_even(const Part& part, const Real* in, Complex* out) noexcept;
  void forward_odd(const Part& part, const Real* in, Complex* out) noexcept;
  void backward_even(const Part& part, const Complex* in, Real* out) noexcept;
  void backward_odd(const Part& part, const Complex* in, Real* out) noexcept;

  int length_, lines_, inner_;  // inner_: the length of the complex lines
  Part usual_, last_;
  MirrorFactors<Real> to_waves_, to_points_;
  AlignedVector<Complex> work_, more_work_;
};

extern template class RealLines<float>;
extern template class RealLines<double>;

}  // namespace fg::fft
