// SPDX-License-Identifier: BSD-3-Clause
#include "fft/line_transform.hpp"

#include <fftw3.h>

#include <algorithm>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"

namespace fg::fft {

namespace {

/// FFTW's planner is its only part that is not thread-safe.
std::mutex& planner_mutex() {
  static std::mutex mutex;
  return mutex;
}

template <class Real>
struct Fftw;

template <>
struct Fftw<float> {
  using Plan = fftwf_plan;
  using Dim = fftwf_iodim;
  static Plan plan(const Dim& line, const Dim* many, std::complex<float>* in,
                   std::complex<float>* out, int sign, unsigned flags) {
    return fftwf_plan_guru_dft(1, &line, 2, many, reinterpret_cast<fftwf_complex*>(in),
                               reinterpret_cast<fftwf_complex*>(out), sign, flags);
  }
  static void execute(Plan plan, std::complex<float>* in, std::complex<float>* out) {
    fftwf_execute_dft(plan, reinterpret_cast<fftwf_complex*>(in),
                      reinterpret_cast<fftwf_complex*>(out));
  }
  static void destroy(Plan plan) { fftwf_destroy_plan(plan); }
};

template <>
struct Fftw<double> {
  using Plan = fftw_plan;
  using Dim = fftw_iodim;
  static Plan plan(const Dim& line, const Dim* many, std::complex<double>* in,
                   std::complex<double>* out, int sign, unsigned flags) {
    return fftw_plan_guru_dft(1, &line, 2, many, reinterpret_cast<fftw_complex*>(in),
                              reinterpret_cast<fftw_complex*>(out), sign, flags);
  }
  static void execute(Plan plan, std::complex<double>* in, std::complex<double>* out) {
    fftw_execute_dft(plan, reinterpret_cast<fftw_complex*>(in),
                     reinterpret_cast<fftw_complex*>(out));
  }
  static void destroy(Plan plan) { fftw_destroy_plan(plan); }
};

/// FFTW ends the process if it gets no memory for a plan, which needs about 100 kB. This memory is
/// allocated first, so that a lack of memory throws an exception, and then freed for the plan.
void require_room_for_a_plan() {
  constexpr std::size_t room = std::size_t{4} << 20;
  const auto held = std::make_unique_for_overwrite<std::byte[]>(room);
  *static_cast<volatile std::byte*>(held.get()) = std::byte{};  // or it is never asked for
}

std::size_t extent(const LineBatch& b, const LineLayout& l) {
  return 1 + static_cast<std::size_t>(b.length - 1) * l.stride +
         static_cast<std::size_t>(std::max(0, b.inner_count - 1)) * l.inner +
         static_cast<std::size_t>(std::max(0, b.outer_count - 1)) * l.outer;
}

}  // namespace

template <class Real>
struct LineTransform<Real>::Plan {
  typename Fftw<Real>::Plan plan;
};

template <class Real>
LineTransform<Real>::LineTransform(const LineBatch& batch, Direction direction)
    : plan_(std::make_unique<Plan>()) {
  using Library = Fftw<Real>;
  // Planning needs arrays of the right alignment; with FFTW_ESTIMATE it does not change them.
  AlignedVector<std::complex<Real>> in(extent(batch, batch.in));
  AlignedVector<std::complex<Real>> out(extent(batch, batch.out));
  const typename Library::Dim line{batch.length, batch.in.stride, batch.out.stride};
  const typename Library::Dim many[2] = {{batch.outer_count, batch.in.outer, batch.out.outer},
                                         {batch.inner_count, batch.in.inner, batch.out.inner}};
  const int sign = direction == Direction::forward ? FFTW_FORWARD : FFTW_BACKWARD;
  const std::lock_guard lock(planner_mutex());
  require_room_for_a_plan();
  plan_->plan =
      Library::plan(line, many, in.data(), out.data(), sign, FFTW_ESTIMATE | FFTW_PRESERVE_INPUT);
  if (plan_->plan == nullptr)
    throw InternalError({.what = "FFTW made no plan for a batch of lines",
                         .value = "length " + std::to_string(batch.length) + ", lines " +
                                  std::to_string(batch.inner_count * batch.outer_count)});
}

template <class Real>
LineTransform<Real>::~LineTransform() {
  if (!plan_) return;
  const std::lock_guard lock(planner_mutex());
  Fftw<Real>::destroy(plan_->plan);
}

template <class Real>
LineTransform<Real>::LineTransform(LineTransform&&) noexcept = default;

template <class Real>
LineTransform<Real>& LineTransform<Real>::operator=(LineTransform&& other) noexcept {
  plan_.swap(other.plan_);
  return *this;
}

template <class Real>
void LineTransform<Real>::execute(const std::complex<Real>* in,
                                  std::complex<Real>* out) const noexcept {
  // FFTW's interface has no const, but FFTW_PRESERVE_INPUT leaves the input unchanged.
  Fftw<Real>::execute(plan_->plan, const_cast<std::complex<Real>*>(in), out);
}

template class LineTransform<float>;
template class LineTransform<double>;

}  // namespace fg::fft
