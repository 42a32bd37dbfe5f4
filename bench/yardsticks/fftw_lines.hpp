// SPDX-License-Identifier: BSD-3-Clause
//
// FFTW behind the interface of LineTransform: a yardstick for tests and benchmarks, part of no
// program that users run. Its bits depend on the batch.
#pragma once

#include <complex>
#include <string>

#include "fft/lines/line_batch.hpp"

namespace fg::fft {

enum class FftwEffort { estimate, measure };

template <class Real>
class FftwLines {
 public:
  FftwLines(const LineBatch& batch, Direction direction, FftwEffort effort);
  ~FftwLines();
  FftwLines(const FftwLines&) = delete;
  FftwLines& operator=(const FftwLines&) = delete;

  /// Both arrays must be aligned to 64 bytes, and distinct.
  void execute(const std::complex<Real>* in, std::complex<Real>* out) const noexcept;

 private:
  void* plan_;
};

/// The transform of a whole mesh of complex numbers, forward and in place.
template <class Real>
class FftwMesh {
 public:
  FftwMesh(int nx, int ny, int nz, FftwEffort effort);
  ~FftwMesh();
  FftwMesh(const FftwMesh&) = delete;
  FftwMesh& operator=(const FftwMesh&) = delete;

  void execute(std::complex<Real>* mesh) const noexcept;

 private:
  void* plan_;
};

/// The library's own words: version and SIMD instructions.
std::string fftw_description();

extern template class FftwLines<float>;
extern template class FftwLines<double>;
extern template class FftwMesh<float>;
extern template class FftwMesh<double>;

}  // namespace fg::fft
