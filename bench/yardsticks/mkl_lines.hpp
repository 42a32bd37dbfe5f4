// SPDX-License-Identifier: BSD-3-Clause
//
// Intel's MKL behind the interface of LineTransform, in one thread: a yardstick for tests and
// benchmarks, part of no program that users run.
#pragma once

#include <complex>
#include <memory>
#include <string>

#include "fft/lines/line_batch.hpp"

namespace fg::fft {

/// Frees what DFTI made.
struct FreeMklPlan {
  void operator()(void* plan) const noexcept;
};
using MklPlan = std::unique_ptr<void, FreeMklPlan>;

template <class Real>
class MklLines {
 public:
  /// Throws InternalError if MKL refuses the batch.
  MklLines(const LineBatch& batch, Direction direction);

  /// Both arrays must be aligned to 64 bytes, and distinct.
  void execute(const std::complex<Real>* in, std::complex<Real>* out) const noexcept;

 private:
  LineBatch batch_;
  Direction direction_;
  MklPlan plan_;
};

/// The transform of a whole mesh of complex numbers, forward and in place.
template <class Real>
class MklMesh {
 public:
  MklMesh(int nx, int ny, int nz);

  void execute(std::complex<Real>* mesh) const noexcept;

 private:
  MklPlan plan_;
};

/// The library's own words: version and processor.
std::string mkl_description();

extern template class MklLines<float>;
extern template class MklLines<double>;
extern template class MklMesh<float>;
extern template class MklMesh<double>;

}  // namespace fg::fft
