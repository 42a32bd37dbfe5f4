// SPDX-License-Identifier: BSD-3-Clause
//
// The yardstick does the same work: FFTW's lines agree with the engine's.
#include "yardsticks/fftw_lines.hpp"

#include <gtest/gtest.h>

#include <memory>

#include "support/fft/yardsticks.hpp"

namespace fg::fft::test {
namespace {

template <class Real>
void compare(int n, Direction direction) {
  fg::test::expect_agreement<Real>(n, direction, [](const LineBatch& batch, Direction way) {
    return std::make_unique<FftwLines<Real>>(batch, way, FftwEffort::estimate);
  });
}

TEST(FftwLinesTest, AgreeWithTheEngine) {
  for (const int n : {2, 15, 64, 97, 100})
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      compare<float>(n, direction);
      compare<double>(n, direction);
    }
}

}  // namespace
}  // namespace fg::fft::test
