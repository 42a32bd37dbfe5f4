// SPDX-License-Identifier: BSD-3-Clause
//
// The yardstick does the same work: FFTW's lines and meshes agree with the engine's.
#include "fft/yardsticks/fftw_lines.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fft/line_transform.hpp"
#include "support/lines.hpp"

namespace fg::fft::test {
namespace {

using fg::test::LineArray;
using fg::test::LineOrder;

template <class Real>
void expect_agreement(int n, Direction direction) {
  constexpr int inner = 5, outer = 3, count = inner * outer;
  for (const LineOrder from : fg::test::line_orders)
    for (const LineOrder to : fg::test::line_orders) {
      LineArray<Real> in(n, inner, outer, fg::test::layout_of(from, n, inner, outer));
      LineArray<Real> own(n, inner, outer, fg::test::layout_of(to, n, inner, outer)), other = own;
      fg::test::fill_with_samples(in, count);
      const LineBatch batch{n, inner, outer, in.layout, own.layout};
      LineTransform<Real>(batch, direction).execute(in.data(), own.data());
      FftwLines<Real>(batch, direction, FftwEffort::estimate).execute(in.data(), other.data());
      // Points of size 1: both are within 2 eps log2(n) of a norm of sqrt(n) a wave.
      const Real bound = 4 * std::numeric_limits<Real>::epsilon() *
                         static_cast<Real>(std::log2(n) * std::sqrt(n) * 2);
      for (std::size_t i = 0; i < own.values.size(); ++i)
        ASSERT_LE(std::abs(own.values[i] - other.values[i]), bound) << n << " at " << i;
    }
}

TEST(FftwLinesTest, AgreeWithTheEngine) {
  for (const int n : {2, 15, 64, 97, 100})
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      expect_agreement<float>(n, direction);
      expect_agreement<double>(n, direction);
    }
}

}  // namespace
}  // namespace fg::fft::test
