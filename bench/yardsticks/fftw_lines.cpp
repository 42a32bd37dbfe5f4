// SPDX-License-Identifier: BSD-3-Clause
#include "yardsticks/fftw_lines.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cstddef>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"

namespace fg::fft {

namespace {

template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Dim = fftwf_iodim;
  using Number = fftwf_complex;
  static constexpr auto plan = &fftwf_plan_guru_dft;
  static constexpr auto execute = &fftwf_execute_dft;
  static constexpr auto destroy = &fftwf_destroy_plan;
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Dim = fftw_iodim;
  using Number = fftw_complex;
  static constexpr auto plan = &fftw_plan_guru_dft;
  static constexpr auto execute = &fftw_execute_dft;
  static constexpr auto destroy = &fftw_destroy_plan;
};

template <class Real>
auto* numbers(const std::complex<Real>* z) {
  // FFTW's interface has no const, but FFTW_PRESERVE_INPUT leaves the input unchanged.
  return reinterpret_cast<typename Fftw<Real>::Number*>(const_cast<std::complex<Real>*>(z));
}

unsigned flags_of(FftwEffort effort) {
  return effort == FftwEffort::measure ? FFTW_MEASURE : FFTW_ESTIMATE;
}

void* checked(void* plan) {
  if (plan == nullptr) throw InternalError({.what = "FFTW made no plan"});
  return plan;
}

std::size_t extent(const LineBatch& b, const LineLayout& l) {
  const auto reach = [](int count, int step) { return static_cast<std::size_t>(count - 1) * step; };
  return 1 + reach(b.length, l.stride) + reach(b.inner_count, l.inner) +
         reach(b.outer_count, l.outer);
}

}  // namespace

template <class Real>
FftwLines<Real>::FftwLines(const LineBatch& batch, Direction direction, FftwEffort effort) {
  using Library = Fftw<Real>;
  AlignedVector<std::complex<Real>> in(extent(batch, batch.in)), out(extent(batch, batch.out));
  const typename Library::Dim line{batch.length, batch.in.stride, batch.out.stride};
  const typename Library::Dim many[2] = {{batch.outer_count, batch.in.outer, batch.out.outer},
                                         {batch.inner_count, batch.in.inner, batch.out.inner}};
  const int sign = direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  plan_ = checked(Library::plan(1, &line, 2, many, numbers(in.data()), numbers(out.data()), sign,
                                flags_of(effort) | FFTW_PRESERVE_INPUT));
}

template <class Real>
FftwLines<Real>::~FftwLines() {
  Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan_));
}

template <class Real>
void FftwLines<Real>::execute(const std::complex<Real>* in,
                              std::complex<Real>* out) const noexcept {
  Fftw<Real>::execute(static_cast<typename Fftw<Real>::Plan>(plan_), numbers(in), numbers(out));
}

template <class Real>
FftwMesh<Real>::FftwMesh(int nx, int ny, int nz, FftwEffort effort) {
  using Library = Fftw<Real>;
  AlignedVector<std::complex<Real>> mesh(static_cast<std::size_t>(nx) * ny * nz);
  const typename Library::Dim axes[3] = {{nx, ny * nz, ny * nz}, {ny, nz, nz}, {nz, 1, 1}};
  plan_ = checked(Library::plan(3, axes, 0, nullptr, numbers(mesh.data()), numbers(mesh.data()),
                                FFTW_FORWARD, flags_of(effort)));
}

template <class Real>
FftwMesh<Real>::~FftwMesh() {
  Fftw<Real>::destroy(static_cast<typename Fftw<Real>::Plan>(plan_));
}

template <class Real>
void FftwMesh<Real>::execute(std::complex<Real>* mesh) const noexcept {
  Fftw<Real>::execute(static_cast<typename Fftw<Real>::Plan>(plan_), numbers(mesh), numbers(mesh));
}

std::string fftw_description() {
  return fftw_version;
}

template class FftwLines<float>;
template class FftwLines<double>;
template class FftwMesh<float>;
template class FftwMesh<double>;

}  // namespace fg::fft
