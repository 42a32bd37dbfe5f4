// SPDX-License-Identifier: BSD-3-Clause
#include "fft/lines/line_plan.hpp"

#include <string>

#include "base/error.hpp"
#include "fft/lines/kept_plans.hpp"
#include "fft/lines/plain_transform.hpp"
#include "fft/lines/radices.hpp"
#include "fft/lines/unit_roots.hpp"

namespace fg::fft {

namespace {

template <class Real>
LinePass<Real> make_pass(int radix, int blocks, int below) {
  LinePass<Real> pass{radix, blocks, below, {}};
  if (below == 1) return pass;
  const UnitRoots roots(static_cast<std::int64_t>(radix) * below);
  pass.factors.reserve(std::size_t{2} * static_cast<std::size_t>((radix - 1) * below));
  for (std::int64_t j = 0; j < below; ++j)
    for (int k = 1; k < radix; ++k) {
      const auto [cosine, sine] = roots.rounded<Real>(j * k);
      pass.factors.push_back(cosine);
      pass.factors.push_back(sine);
    }
  return pass;
}

/// The order of waves after passes of these radices.
std::vector<std::int32_t> blocks_of_waves(const std::vector<int>& radices) {
  std::vector<std::int32_t> blocks{0};
  for (const int radix : radices) {
    // Block b becomes blocks b * radix + k, whose first waves are k * (waves so far) further on.
    const std::size_t waves = blocks.size();
    for (auto& block : blocks) block *= radix;
    for (int k = 1; k < radix; ++k)
      for (std::size_t w = 0; w < waves; ++w) blocks.push_back(blocks[w] + k);
  }
  return blocks;
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
  plan.block_of_wave = blocks_of_waves(radices);
}

void require_convolution(int points) {
  constexpr int longest = 1 << 29;  // one of twice as many points has to be counted with an int
  if (points <= longest) return;
  throw InputError({.what = "a line with a prime factor above 13 is too long to be transformed",
                    .value = std::to_string(points) + " points",
                    .limit = std::to_string(longest),
                    .hint = "choose a length whose prime factors are at most 13"});
}

template <class Real>
void make_convolution(LinePlan<Real>& plan) {
  require_convolution(plan.length);
  const int n = plan.length, points = convenient_length(2 * n - 1);
  plan.longer = line_plan<Real>(points);
  std::vector<LongComplex> c(static_cast<std::size_t>(points));
  // c_{n-j} is c_j, or -c_j if n is odd, to the bit.
  for (std::int64_t j = 0; j <= n / 2; ++j) {
    const UnitRoot root = unit_root(j * j % (2 * n), 2 * std::int64_t{n});
    c[j] = LongComplex(root.cosine, root.sine);
    if (j > 0) c[n - j] = n % 2 == 0 ? c[j] : -c[j];
  }
  plan.chirp.reserve(std::size_t{2} * static_cast<std::size_t>(n));
  for (std::int64_t j = 0; j < n; ++j) {
    plan.chirp.push_back(static_cast<Real>(c[j].real()));
    plan.chirp.push_back(static_cast<Real>(c[j].imag()));
    if (j > 0) c[points - j] = c[j];
  }
  plan.spectrum.reserve(std::size_t{2} * static_cast<std::size_t>(points));
  for (const LongComplex& wave : plain_transform(c)) {
    const LongComplex scaled = wave / static_cast<long double>(points);
    plan.spectrum.push_back(static_cast<Real>(scaled.real()));
    plan.spectrum.push_back(static_cast<Real>(-scaled.imag()));
  }
}

template <class T>
std::size_t bytes_of(const T& table) noexcept {
  return table.capacity() * sizeof(table[0]);
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

template <class Real>
std::size_t LinePlan<Real>::bytes() const noexcept {
  std::size_t sum = sizeof(*this) + bytes_of(passes) + bytes_of(block_of_wave) + bytes_of(chirp) +
                    bytes_of(spectrum);
  for (const LinePass<Real>& pass : passes) sum += bytes_of(pass.factors);
  return longer == nullptr ? sum : sum + longer->bytes();
}

template struct LinePlan<float>;
template struct LinePlan<double>;

}  // namespace fg::fft
