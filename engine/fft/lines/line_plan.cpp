// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/line_plan.hpp"

#include <atomic>
#include <memory>

#include "fft/lines/plain_transform.hpp"
#include "fft/lines/radices.hpp"
#include "fft/lines/unit_root.hpp"

namespace fg::fft {

namespace {

template <class Real>
void append_factor(AlignedVector<Real>& factors, const UnitRoot& root) {
  factors.push_back(static_cast<Real>(root.cosine));
  factors.push_back(static_cast<Real>(root.sine));
}

template <class Real>
LinePass<Real> make_pass(int radix, int blocks, int below) {
  LinePass<Real> pass{radix, blocks, below, {}};
  if (below == 1) return pass;
  for (std::int64_t j = 0; j < below; ++j)
    for (int k = 1; k < radix; ++k)
      append_factor(pass.factors, unit_root(j * k, static_cast<std::int64_t>(radix) * below));
  return pass;
}

/// For the blocks that are left after passes of these radices.
std::vector<std::int32_t> first_waves_after(const std::vector<int>& radices) {
  std::vector<std::int32_t> waves{0};
  std::int32_t step = 1;
  for (const int radix : radices) {
    std::vector<std::int32_t> finer;
    for (const std::int32_t wave : waves)
      for (int k = 0; k < radix; ++k) finer.push_back(wave + k * step);
    waves = std::move(finer);
    step *= radix;
  }
  return waves;
}

template <class Real>
void make_passes(LinePlan<Real>& plan, std::vector<int> radices) {
  int blocks = 1, below = plan.length;
  for (const int radix : radices) {
    below /= radix;
    plan.passes.push_back(make_pass<Real>(radix, blocks, below));
    blocks *= radix;
  }
  radices.pop_back();
  plan.first_waves = first_waves_after(radices);
}

template <class Real>
void make_convolution(LinePlan<Real>& plan) {
  const int n = plan.length, points = convenient_length(2 * n - 1);
  plan.longer = &line_plan<Real>(points);
  std::vector<LongComplex> c(points);
  for (std::int64_t j = 0; j < n; ++j) {
    const UnitRoot root = unit_root(j * j % (2 * n), 2 * n);
    append_factor(plan.chirp, root);
    c[j] = c[(points - j) % points] = LongComplex(root.cosine, root.sine);
  }
  for (const LongComplex& wave : plain_transform(c)) {
    const LongComplex scaled = wave / static_cast<long double>(points);
    plan.spectrum.push_back(static_cast<Real>(scaled.real()));
    plan.spectrum.push_back(static_cast<Real>(-scaled.imag()));
  }
}

}  // namespace

template <class Real>
LinePlan<Real>::LinePlan(int points) : length(points) {
  if (points == 1) return;
  const std::vector<int> radices = radices_of(points);
  if (radices.empty())
    make_convolution(*this);
  else
    make_passes(*this, radices);
}

namespace {

/// A list that only grows. Two threads that miss the same length at the same time both make its
/// plan; both are right.
template <class Real>
struct Known {
  explicit Known(int length) : plan(length) {}
  LinePlan<Real> plan;
  const Known* next = nullptr;
};

template <class Real>
std::atomic<const Known<Real>*>& known_plans() {
  static std::atomic<const Known<Real>*> first = nullptr;
  return first;
}

}  // namespace

template <class Real>
const LinePlan<Real>& line_plan(int length) {
  auto& first = known_plans<Real>();
  for (const Known<Real>* known = first.load(std::memory_order_acquire); known != nullptr;
       known = known->next)
    if (known->plan.length == length) return known->plan;
  auto made = std::make_unique<Known<Real>>(length);
  made->next = first.load(std::memory_order_relaxed);
  while (!first.compare_exchange_weak(made->next, made.get(), std::memory_order_release,
                                      std::memory_order_relaxed)) {
  }
  return made.release()->plan;
}

template struct LinePlan<float>;
template struct LinePlan<double>;
template const LinePlan<float>& line_plan(int);
template const LinePlan<double>& line_plan(int);

}  // namespace fg::fft
