// SPDX-License-Identifier: BSD-3-Clause
#include "yardsticks/mkl_lines.hpp"

#include <mkl_dfti.h>
#include <mkl_service.h>

#include <array>
#include <cstddef>

#include "base/error.hpp"

namespace fg::fft {

namespace {

void require(MKL_LONG status) {
  if (status != DFTI_NO_ERROR)
    throw InternalError({.what = std::string("MKL: ") + DftiErrorMessage(status)});
}

template <class Real>
constexpr DFTI_CONFIG_VALUE precision = sizeof(Real) == sizeof(float) ? DFTI_SINGLE : DFTI_DOUBLE;

DFTI_DESCRIPTOR_HANDLE handle(const MklPlan& plan) noexcept {
  return static_cast<DFTI_DESCRIPTOR_HANDLE>(plan.get());
}

/// Where the numbers of one plane of lines begin.
template <class Number>
Number* plane(Number* first, int number, const LineLayout& layout) {
  return first + static_cast<std::ptrdiff_t>(number) * layout.outer;
}

}  // namespace

void FreeMklPlan::operator()(void* plan) const noexcept {
  auto one = static_cast<DFTI_DESCRIPTOR_HANDLE>(plan);
  DftiFreeDescriptor(&one);
}

template <class Real>
MklLines<Real>::MklLines(const LineBatch& batch, Direction direction)
    : batch_(batch), direction_(direction) {
  DFTI_DESCRIPTOR_HANDLE plan = nullptr;
  require((DftiCreateDescriptor)(&plan, precision<Real>, DFTI_COMPLEX, 1,
                                 static_cast<MKL_LONG>(batch.length)));
  plan_.reset(plan);
  const bool forward = direction == Direction::forward;
  const LineLayout &points = forward ? batch.in : batch.out,
                   &waves = forward ? batch.out : batch.in;
  const std::array<MKL_LONG, 2> of_points{0, points.stride}, of_waves{0, waves.stride};
  require(DftiSetValue(plan, DFTI_PLACEMENT, DFTI_NOT_INPLACE));
  require(DftiSetValue(plan, DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(1)));
  require(DftiSetValue(plan, DFTI_NUMBER_OF_TRANSFORMS, static_cast<MKL_LONG>(batch.inner_count)));
  require(DftiSetValue(plan, DFTI_FWD_STRIDES, of_points.data()));
  require(DftiSetValue(plan, DFTI_BWD_STRIDES, of_waves.data()));
  require(DftiSetValue(plan, DFTI_FWD_DISTANCE, static_cast<MKL_LONG>(points.inner)));
  require(DftiSetValue(plan, DFTI_BWD_DISTANCE, static_cast<MKL_LONG>(waves.inner)));
  require(DftiCommitDescriptor(plan));
}

template <class Real>
void MklLines<Real>::execute(const std::complex<Real>* in, std::complex<Real>* out) const noexcept {
  for (int k = 0; k < batch_.outer_count; ++k) {
    auto* const from = const_cast<std::complex<Real>*>(plane(in, k, batch_.in));
    std::complex<Real>* const to = plane(out, k, batch_.out);
    direction_ == Direction::forward ? DftiComputeForward(handle(plan_), from, to)
                                     : DftiComputeBackward(handle(plan_), from, to);
  }
}

template <class Real>
MklMesh<Real>::MklMesh(int nx, int ny, int nz) {
  const std::array<MKL_LONG, 3> size{nx, ny, nz};
  DFTI_DESCRIPTOR_HANDLE plan = nullptr;
  require((DftiCreateDescriptor)(&plan, precision<Real>, DFTI_COMPLEX, 3, size.data()));
  plan_.reset(plan);
  require(DftiSetValue(plan, DFTI_THREAD_LIMIT, static_cast<MKL_LONG>(1)));
  require(DftiCommitDescriptor(plan));
}

template <class Real>
void MklMesh<Real>::execute(std::complex<Real>* mesh) const noexcept {
  DftiComputeForward(handle(plan_), mesh);
}

std::string mkl_description() {
  std::array<char, 200> words{};
  mkl_get_version_string(words.data(), static_cast<int>(words.size()));
  std::string text(words.data());
  text.erase(text.find_last_not_of(' ') + 1);
  return text;
}

template class MklLines<float>;
template class MklLines<double>;
template class MklMesh<float>;
template class MklMesh<double>;

}  // namespace fg::fft
