// SPDX-License-Identifier: BSD-3-Clause
//
// The step between a real line of even length n and the complex line of m = n/2 numbers as which it
// is transformed. Elements k and m - k of one side make those of the other:
//   E = X_k + conj X_{m-k},   D = f_k (X_k - conj X_{m-k}),   out_k = w E + D,
//   out_{m-k} = conj(w E - D).
// On the way to waves, w = 1/2 and f_k = -i exp(-2 pi i k / n) / 2. On the way to points, w = 1 and
// f_k = i exp(2 pi i k / n). Source: Press et al., Numerical Recipes (2007), section 12.3.2.
#pragma once

#include <complex>
#include <vector>

#include "base/aligned_vector.hpp"

namespace fg::fft {

/// The factors of one direction, for k = 1 to m/2.
template <class Real>
struct MirrorFactors {
  enum class Way { to_waves, to_points };
  MirrorFactors(int length, Way way);

  int half;                             // m
  Real weight;                          // w
  AlignedVector<Real> real, imaginary;  // of f_k at place k - 1, each twice: (r, r), (-i, i)
};

/// Elements 1 to m - 1 of `out` from those of `in`; the arrays do not overlap. A pair has the same
/// bits wherever its line lies.
template <class Real>
void mirror_waves(const MirrorFactors<Real>& factors, const std::complex<Real>* in,
                  std::complex<Real>* out) noexcept;

extern template struct MirrorFactors<float>;
extern template struct MirrorFactors<double>;

}  // namespace fg::fft
