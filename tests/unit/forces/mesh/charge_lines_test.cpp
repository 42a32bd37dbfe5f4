// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of charges into lines: every SIMD target gives the bits of the plain loops, also on sizes
// that do not fill a vector, and writes only where it should.
#include "forces/mesh/charge_lines.hpp"

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "base/fixed_point.hpp"
#include "support/each_simd_target.hpp"
#include "support/random_values.hpp"

namespace fg::test {
namespace {

using ChargeLines = EachSimdTarget;

template <class Real>
std::vector<ChargeSum<Real>> random_sums(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  const ChargeSum<Real> most = ChargeSum<Real>{1} << (sizeof(Real) == sizeof(float) ? 29 : 42);
  std::uniform_int_distribution<ChargeSum<Real>> any(-most, most);
  std::vector<ChargeSum<Real>> values(size);
  for (auto& value : values) value = any(random);
  return values;
}

template <class Real>
void expect_reference_bits() {
  for (int length : {1, 2, 3, 4, 5, 7, 8, 9, 16, 19, 33}) {
    const int rows = 3, gap = 5;
    const std::size_t size = rows * (length + gap) + line_tail;
    // Exactly as long as its rows: a sanitizer reports what is read beyond.
    const auto values = random_values<Real>(rows * (length + gap) - gap, length);
    auto lines = random_sums<Real>(size, length), plain = lines;
    add_charges<Real>({values.data(), length + gap}, rows, length, {lines.data(), length + 2});
    reference::add_charges<Real>({values.data(), length + gap}, rows, length,
                                 {plain.data(), length + 2});
    EXPECT_EQ(lines, plain) << length;

    auto a = random_sums<Real>(length, 1), b = random_sums<Real>(length, 2), pa = a, pb = b;
    std::vector<std::complex<Real>> line(length), plain_line(length);
    take_line_pair<Real>(a.data(), b.data(), length, line.data());
    reference::take_line_pair<Real>(pa.data(), pb.data(), length, plain_line.data());
    EXPECT_EQ(line, plain_line) << length;
    EXPECT_EQ(a, std::vector<ChargeSum<Real>>(length, 0));
    EXPECT_EQ(b, a);
  }
}

/// A sum of charges, in fixed point and in double precision, differs by at most half a unit a term.
template <class Real>
void expect_sums(double unit) {
  const int terms = 50, length = 21;
  std::vector<ChargeSum<Real>> sums(length + line_tail), nothing(length + line_tail);
  std::vector<double> exact(length);
  for (int term = 0; term < terms; ++term) {
    const auto values = random_values<Real>(length, term);
    add_charges<Real>({values.data(), length}, 1, length, {sums.data(), length});
    for (int i = 0; i < length; ++i) exact[i] += values[i];
  }
  std::vector<std::complex<Real>> line(length);
  take_line_pair<Real>(sums.data(), nothing.data(), length, line.data());
  for (int i = 0; i < length; ++i)
    EXPECT_NEAR(line[i].real(), exact[i],
                terms * unit / 2 + std::abs(exact[i]) * std::numeric_limits<Real>::epsilon());
}

TEST_P(ChargeLines, SumsAreRoundedOnceATerm) {
  expect_sums<float>(1.0 / single_charge_scale);
  expect_sums<double>(1.0 / charge_scale.scale);
}

TEST_P(ChargeLines, FloatHasTheBitsOfThePlainLoops) {
  expect_reference_bits<float>();
}
TEST_P(ChargeLines, DoubleHasTheBitsOfThePlainLoops) {
  expect_reference_bits<double>();
}

FG_ON_EACH_SIMD_TARGET(ChargeLines);

}  // namespace
}  // namespace fg::test
