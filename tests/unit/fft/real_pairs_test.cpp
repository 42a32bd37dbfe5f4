// SPDX-License-Identifier: BSD-3-Clause
//
// Splitting and merging the spectra of paired real lines: every SIMD target has the bits of the
// plain loops, for any number of pairs, and merging undoes splitting.
#include "fft/lines/real_pairs.hpp"

#include <random>
#include <vector>

#include "support/each_simd_target.hpp"
#include "support/references/fft/fft_references.hpp"

namespace fg::fft::test {
namespace {

using RealPairs = fg::test::EachSimdTarget;

template <class Real>
std::vector<std::complex<Real>> random_row(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> unit(-1, 1);
  std::vector<std::complex<Real>> row(size);
  for (auto& value : row) value = {unit(random), unit(random)};
  return row;
}

template <class Real>
void expect_reference_bits() {
  using Row = std::vector<std::complex<Real>>;
  for (std::size_t pairs : {1, 2, 3, 4, 5, 7, 8, 13, 64}) {
    const Row v = random_row<Real>(pairs, 1), w = random_row<Real>(pairs, 2);
    Row a(pairs), b(pairs), ra(pairs), rb(pairs);
    split_row(v.data(), w.data(), pairs, a.data(), b.data());
    reference::split_row(v.data(), w.data(), pairs, ra.data(), rb.data());
    EXPECT_EQ(a, ra);
    EXPECT_EQ(b, rb);
    Row z(pairs), y(pairs), rz(pairs), ry(pairs);
    merge_row(a.data(), b.data(), pairs, z.data(), y.data());
    reference::merge_row(a.data(), b.data(), pairs, rz.data(), ry.data());
    EXPECT_EQ(z, rz);
    EXPECT_EQ(y, ry);
    // Splitting doubles. A sum and a difference of two numbers below 2 each round once.
    for (std::size_t p = 0; p < pairs; ++p) {
      EXPECT_LT(std::abs(z[p] - Real(2) * v[p]), 8 * std::numeric_limits<Real>::epsilon());
      EXPECT_LT(std::abs(y[p] - Real(2) * w[p]), 8 * std::numeric_limits<Real>::epsilon());
    }
  }
}

TEST_P(RealPairs, FloatHasTheBitsOfThePlainLoops) {
  expect_reference_bits<float>();
}
TEST_P(RealPairs, DoubleHasTheBitsOfThePlainLoops) {
  expect_reference_bits<double>();
}

FG_ON_EACH_SIMD_TARGET(RealPairs);

}  // namespace
}  // namespace fg::fft::test
