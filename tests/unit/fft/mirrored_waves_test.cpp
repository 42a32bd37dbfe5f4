// SPDX-License-Identifier: BSD-3-Clause
//
// The step between a real line and its complex one: every SIMD target against the plain formula,
// for any length; and the way there and back, which gives each element n/2 times.
#include "fft/lines/mirrored_waves.hpp"

#include <limits>
#include <random>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/references/fft/fft_references.hpp"

namespace fg::fft::test {
namespace {

using MirroredWaves = fg::test::EachSimdTarget;

template <class Real>
void expect_formula(int length) {
  const int m = length / 2;
  std::mt19937 random(static_cast<unsigned>(length));
  std::uniform_real_distribution<Real> unit(-1, 1);
  std::vector<std::complex<Real>> in(m + 1);
  for (auto& value : in) value = {unit(random), unit(random)};
  const std::vector<std::complex<double>> exact_in(in.begin(), in.end());
  // Each result is a sum of two numbers and of two with a factor, below 4 * 2 in all.
  const double tolerance = 16 * static_cast<double>(std::numeric_limits<Real>::epsilon());
  for (const bool to_waves : {true, false}) {
    using Factors = MirrorFactors<Real>;
    const Factors factors(length, to_waves ? Factors::Way::to_waves : Factors::Way::to_points);
    const std::complex<Real> untouched(7, 7);
    std::vector<std::complex<Real>> out(m + 1, untouched);
    mirror_waves(factors, in.data(), out.data());
    std::vector<std::complex<double>> exact(m + 1);
    reference::mirror_waves(length, to_waves, exact_in.data(), exact.data());
    for (int k = 1; k < m; ++k)
      EXPECT_LT(std::abs(std::complex<double>(out[k]) - exact[k]), tolerance) << length << " " << k;
    EXPECT_EQ(out[0], untouched);
    EXPECT_EQ(out[m], untouched);
  }
}

TEST_P(MirroredWaves, FloatFollowsTheFormula) {
  for (int length = 2; length <= 80; length += 2) expect_formula<float>(length);
}
TEST_P(MirroredWaves, DoubleFollowsTheFormula) {
  for (int length = 2; length <= 80; length += 2) expect_formula<double>(length);
}

TEST_P(MirroredWaves, ThereAndBackDoubles) {
  using Factors = MirrorFactors<double>;
  for (const int length : {4, 6, 32, 46, 100}) {
    const int m = length / 2;
    std::mt19937 random(1);
    std::uniform_real_distribution<double> unit(-1, 1);
    std::vector<std::complex<double>> points(m + 1), waves(m + 1), again(m + 1);
    for (auto& value : points) value = {unit(random), unit(random)};
    mirror_waves(Factors(length, Factors::Way::to_waves), points.data(), waves.data());
    mirror_waves(Factors(length, Factors::Way::to_points), waves.data(), again.data());
    for (int k = 1; k < m; ++k) EXPECT_LT(std::abs(again[k] - 2.0 * points[k]), 1e-14);
  }
}

FG_ON_EACH_SIMD_TARGET(MirroredWaves);

}  // namespace
}  // namespace fg::fft::test
