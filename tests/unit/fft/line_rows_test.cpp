// SPDX-License-Identifier: BSD-3-Clause
//
// Rows copied and pairs of lines parted: every SIMD target gives the bits of the plain loops, also
// on sizes that do not fill a vector, and writes only where it should.
#include "fft/pencils/line_rows.hpp"

#include <vector>

#include "support/each_simd_target.hpp"
#include "support/random_values.hpp"

namespace fg::test {
namespace {

using LineRows = EachSimdTarget;

template <class Real>
void expect_reference_bits() {
  for (int length : {1, 2, 3, 4, 5, 7, 8, 9, 16, 19, 33}) {
    const int rows = 3, gap = 5;
    const auto values = random_values<Real>(rows * (length + gap), length);
    std::vector<Real> copy(values.size(), Real(9)), plain_copy = copy;
    fft::copy_rows<Real>({values.data(), length + gap}, rows, length, {copy.data(), length + 2});
    fft::reference::copy_rows<Real>({values.data(), length + gap}, rows, length,
                                    {plain_copy.data(), length + 2});
    EXPECT_EQ(copy, plain_copy) << length;

    const auto re = random_values<Real>(length, 1), im = random_values<Real>(length, 2);
    std::vector<std::complex<Real>> line(length);
    for (int i = 0; i < length; ++i) line[i] = {re[i], im[i]};
    std::vector<Real> a(length + 1, Real(9)), b = a, plain_a = a, plain_b = a;
    fft::part_line_pair(line.data(), length, a.data(), b.data());
    fft::reference::part_line_pair(line.data(), length, plain_a.data(), plain_b.data());
    EXPECT_EQ(a, plain_a) << length;
    EXPECT_EQ(b, plain_b) << length;
    EXPECT_EQ(a.back(), Real(9));
    for (int i = 0; i < length; ++i) EXPECT_EQ(line[i], std::complex<Real>(a[i], b[i]));
  }
}

TEST_P(LineRows, FloatHasTheBitsOfThePlainLoops) {
  expect_reference_bits<float>();
}
TEST_P(LineRows, DoubleHasTheBitsOfThePlainLoops) {
  expect_reference_bits<double>();
}

FG_ON_EACH_SIMD_TARGET(LineRows);

}  // namespace
}  // namespace fg::test
