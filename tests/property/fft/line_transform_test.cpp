// SPDX-License-Identifier: BSD-3-Clause
//
// Properties of a batch of lines: it agrees with the defining sum, the backward transform undoes
// the forward one, the input is not changed; norms are kept, and a shift turns the waves.
#include "fft/lines/line_transform.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <random>
#include <vector>

#include "base/aligned_vector.hpp"

namespace fg::fft::test {
namespace {

struct Case {
  int length, inner, outer;
};

class Lines : public ::testing::TestWithParam<Case> {
 protected:
  /// [outer][k][inner] to [outer][inner][k].
  LineBatch batch() const {
    const auto [n, inner, outer] = GetParam();
    return {n, inner, outer, {inner, 1, n * inner}, {1, n, n * inner}};
  }
  LineBatch back() const {
    const LineBatch b = batch();
    return {b.length, b.inner_count, b.outer_count, b.out, b.in};
  }
  std::size_t points() const {
    const auto [n, inner, outer] = GetParam();
    return static_cast<std::size_t>(n) * inner * outer;
  }

  template <class Real>
  AlignedVector<std::complex<Real>> random_points() const {
    std::mt19937 random(5);
    std::uniform_real_distribution<Real> unit(-1, 1);
    AlignedVector<std::complex<Real>> values(points());
    for (std::size_t i = 0; i < points(); ++i) values[i] = {unit(random), unit(random)};
    return values;
  }

  template <class Real>
  void expect_sum_and_inverse() const {
    const auto [n, inner, outer] = GetParam();
    const auto in = random_points<Real>();
    AlignedVector<std::complex<Real>> before(points()), out(points()), again(points());
    std::copy_n(in.data(), points(), before.data());
    LineTransform<Real>(batch(), Direction::forward).execute(in.data(), out.data());
    LineTransform<Real>(back(), Direction::backward).execute(out.data(), again.data());

    // log2(n) levels with a rounding each, on sums whose size grows as sqrt(n); a factor of 4.
    const double tolerance =
        4 * std::numeric_limits<Real>::epsilon() * std::sqrt(n) * (std::log2(n) + 1);
    for (int o = 0; o < outer; ++o)
      for (int i = 0; i < inner; ++i)
        for (int k = 0; k < n; ++k) {
          std::complex<double> sum = 0;
          for (int j = 0; j < n; ++j) {
            const long turn = static_cast<long>(j) * k % n;
            sum += std::complex<double>(in[(static_cast<std::size_t>(o) * n + j) * inner + i]) *
                   std::polar(1.0, -2 * std::numbers::pi * turn / n);
          }
          const std::complex<double> got = out[(static_cast<std::size_t>(o) * inner + i) * n + k];
          ASSERT_LT(std::abs(got - sum), tolerance) << "line " << o << "," << i << " wave " << k;
        }
    for (std::size_t i = 0; i < points(); ++i) {
      ASSERT_LT(std::abs(again[i] / Real(n) - in[i]), tolerance);
      ASSERT_EQ(in[i], before[i]);
    }
  }
};

TEST_P(Lines, FloatIsTheSumAndTurnsBack) {
  expect_sum_and_inverse<float>();
}
TEST_P(Lines, DoubleIsTheSumAndTurnsBack) {
  expect_sum_and_inverse<double>();
}

INSTANTIATE_TEST_SUITE_P(Sizes, Lines,
                         ::testing::Values(Case{1, 1, 1}, Case{2, 3, 1}, Case{15, 4, 2},
                                           Case{64, 16, 9}, Case{60, 7, 3}, Case{37, 5, 2},
                                           Case{128, 1, 1}, Case{84, 33, 1}));

/// One line by itself, transformed.
template <class Real>
AlignedVector<std::complex<Real>> waves_of(const AlignedVector<std::complex<Real>>& line,
                                           Direction direction) {
  const int n = static_cast<int>(line.size());
  AlignedVector<std::complex<Real>> waves(line.size());
  LineTransform<Real>({n, 1, 1, {1, n, n}, {1, n, n}}, direction)
      .execute(line.data(), waves.data());
  return waves;
}

template <class Real>
std::complex<double> widened(std::complex<Real> z) {
  return {z.real(), z.imag()};
}

template <class Points>
double norm_of(const Points& points) {
  double sum = 0;
  for (const auto& z : points) sum += std::norm(widened(z));
  return std::sqrt(sum);
}

/// One transform is within 2 eps log2(n) of its norm; two of them within twice as much.
template <class Real>
void expect_properties(int n) {
  std::mt19937 random(static_cast<unsigned>(n));
  std::uniform_real_distribution<Real> unit(-1, 1);
  AlignedVector<std::complex<Real>> line(n), shifted(n);
  for (auto& z : line) z = {unit(random), unit(random)};
  const int shift = n / 3 + 1;
  for (int j = 0; j < n; ++j) shifted[j] = line[(j + n - shift % n) % n];
  const auto waves = waves_of(line, Direction::forward);
  const auto turned = waves_of(shifted, Direction::forward);
  const auto again = waves_of(waves, Direction::backward);
  const double bound = 2 * double{std::numeric_limits<Real>::epsilon()} * std::log2(n);

  const double norm = norm_of(line), wave_norm = norm_of(waves);
  EXPECT_NEAR(wave_norm / std::sqrt(n), norm, bound * norm) << "Parseval, length " << n;
  std::vector<std::complex<double>> back(n), turn(n);
  for (int k = 0; k < n; ++k) {
    back[k] = widened(again[k]) / double(n) - widened(line[k]);
    const double angle = -2 * std::numbers::pi * (static_cast<long>(shift) * k % n) / n;
    turn[k] = widened(turned[k]) - widened(waves[k]) * std::polar(1.0, angle);
  }
  EXPECT_LE(norm_of(back), 2 * bound * norm) << "there and back, length " << n;
  // and a rounding of the angle and of the product
  EXPECT_LE(norm_of(turn), (2 * bound + 4 * std::numeric_limits<double>::epsilon()) * wave_norm)
      << "shift, length " << n;
}

TEST(OneLine, KeepsItsNormTurnsBackAndTurnsWithAShift) {
  for (int n = 2; n <= 200; ++n) {
    expect_properties<float>(n);
    expect_properties<double>(n);
  }
  for (const int n : {243, 256, 343, 509, 1000, 1024, 1331, 2197}) {
    expect_properties<float>(n);
    expect_properties<double>(n);
  }
}

TEST(LinesOfOnePlan, HaveTheSameBitsEachTime) {
  const LineBatch batch{64, 16, 9, {16, 1, 1024}, {1, 64, 1024}};
  AlignedVector<std::complex<float>> in(64 * 16 * 9), a(64 * 16 * 9), b(64 * 16 * 9);
  std::mt19937 random(5);
  std::uniform_real_distribution<float> unit(-1, 1);
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = {unit(random), unit(random)};
  LineTransform<float>(batch, Direction::forward).execute(in.data(), a.data());
  LineTransform<float>(batch, Direction::forward).execute(in.data(), b.data());
  for (std::size_t i = 0; i < in.size(); ++i) ASSERT_EQ(a[i], b[i]);
}

}  // namespace
}  // namespace fg::fft::test
