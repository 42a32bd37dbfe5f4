// SPDX-License-Identifier: BSD-3-Clause
//
// Blocks of charges into lines: every SIMD target gives the bits of the plain loops, also on sizes
// that do not fill a vector, and writes only where it should.
#include "forces/mesh/charge_lines.hpp"

#include <random>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/random_values.hpp"

namespace fg::test {
namespace {

using ChargeLines = EachSimdTarget;

std::vector<std::int64_t> random_integers(std::size_t size, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_int_distribution<std::int64_t> any(-(std::int64_t{1} << 42), std::int64_t{1} << 42);
  std::vector<std::int64_t> values(size);
  for (auto& value : values) value = any(random);
  return values;
}

template <class Real>
void expect_reference_bits() {
  for (int length : {1, 2, 3, 4, 5, 7, 8, 9, 16, 19, 33}) {
    const int rows = 3, gap = 5;
    const std::size_t size = rows * (length + gap) + line_tail;
    const auto values = random_values<Real>(size, length);
    auto lines = random_integers(size, length), plain = lines;
    add_charges<Real>({values.data(), length + gap}, rows, length, {lines.data(), length + 2});
    reference::add_charges<Real>({values.data(), length + gap}, rows, length,
                                 {plain.data(), length + 2});
    EXPECT_EQ(lines, plain) << length;

    auto a = random_integers(length, 1), b = random_integers(length, 2), pa = a, pb = b;
    std::vector<std::complex<Real>> line(length), plain_line(length);
    take_line_pair(a.data(), b.data(), length, line.data());
    reference::take_line_pair(pa.data(), pb.data(), length, plain_line.data());
    EXPECT_EQ(line, plain_line) << length;
    EXPECT_EQ(a, std::vector<std::int64_t>(length, 0));
    EXPECT_EQ(b, a);
  }
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
