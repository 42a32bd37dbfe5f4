// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/line_transform.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>

#include "base/aligned_vector.hpp"
#include "base/error.hpp"
#include "fft/lines/kept_plans.hpp"
#include "fft/lines/line_kernels.hpp"

namespace fg::fft {

namespace {

constexpr std::size_t stack_bytes = std::size_t{256} << 10;

LineLayout exchanged(const LineLayout& layout) {
  return {layout.stride, layout.outer, layout.inner};
}

/// The same lines in the order that suits the kernels. Lines that lie side by side become inner
/// ones. Two dimensions that follow on from each other become one.
LineBatch in_good_order(LineBatch b) {
  const bool side_by_side = b.in.inner == 1 || b.out.inner == 1;
  const bool outer_side_by_side = b.in.outer == 1 || b.out.outer == 1;
  if (b.inner_count == 1 || (!side_by_side && outer_side_by_side && b.outer_count > 1)) {
    std::swap(b.inner_count, b.outer_count);
    b.in = exchanged(b.in);
    b.out = exchanged(b.out);
  }
  const auto follows_on = [&](const LineLayout& layout) {
    return layout.outer == static_cast<std::int64_t>(b.inner_count) * layout.inner;
  };
  if (follows_on(b.in) && follows_on(b.out)) {
    b.inner_count *= b.outer_count;
    b.outer_count = 1;
  }
  return b;
}

void require_lines(const LineBatch& batch) {
  if (std::min({batch.length, batch.inner_count, batch.outer_count}) >= 1) return;
  throw InternalError({.what = "a batch of lines without points",
                       .value = "length " + std::to_string(batch.length) + ", lines " +
                                std::to_string(batch.inner_count) + " x " +
                                std::to_string(batch.outer_count)});
}

}  // namespace

/// One thread at a time.
template <class Real>
struct LineTransform<Real>::SharedWork {
  std::mutex mutex;
  AlignedVector<Real> work;
};

template <class Real>
LineTransform<Real>::LineTransform(const LineBatch& batch, Direction direction)
    : plan_((require_lines(batch), line_plan<Real>(batch.length))),
      batch_(in_good_order(batch)),
      direction_(direction) {
  const std::size_t bytes = work_bytes(plan_->rows());
  if (bytes <= stack_bytes) return;
  shared_ = std::make_shared<SharedWork>();
  shared_->work.resize(bytes / sizeof(Real));
}

template <class Real>
void LineTransform<Real>::execute(const std::complex<Real>* in, std::complex<Real>* out,
                                  const LinePlaces& places) const noexcept {
  LineJob<Real> job{plan_.get(),
                    batch_,
                    places,
                    direction_,
                    reinterpret_cast<const Real*>(in),
                    reinterpret_cast<Real*>(out),
                    nullptr};
  if (shared_) {
    const std::lock_guard lock(shared_->mutex);
    job.work = shared_->work.data();
    return transform_lines(job);
  }
  alignas(simd_alignment) Real work[stack_bytes / sizeof(Real)];
  job.work = work;
  transform_lines(job);
}

template class LineTransform<float>;
template class LineTransform<double>;

}  // namespace fg::fft
