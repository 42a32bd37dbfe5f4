// SPDX-License-Identifier: BSD-3-Clause
//
// Whether another library's lines do the same work as the engine's.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "fft/lines/line_transform.hpp"
#include "support/fft/lines.hpp"

namespace fg::test {

/// `make(batch, direction)` makes the other library's lines of this precision.
template <class Real, class Make>
void expect_agreement(int n, fft::Direction direction, const Make& make) {
  constexpr int inner = 5, outer = 3, count = inner * outer;
  for (const LineOrder from : line_orders)
    for (const LineOrder to : line_orders) {
      LineArray<Real> in(n, inner, outer, layout_of(from, n, inner, outer));
      LineArray<Real> own(n, inner, outer, layout_of(to, n, inner, outer)), other = own;
      fill_with_samples(in, count);
      const LineBatch batch{n, inner, outer, in.layout, own.layout};
      fft::LineTransform<Real>(batch, direction).execute(in.data(), own.data());
      make(batch, direction)->execute(in.data(), other.data());
      // Points of size 1: both are within 2 eps log2(n) of a norm of sqrt(n) a wave.
      const Real bound = 4 * std::numeric_limits<Real>::epsilon() *
                         static_cast<Real>(std::log2(n) * std::sqrt(n) * 2);
      for (std::size_t i = 0; i < own.values.size(); ++i)
        ASSERT_LE(std::abs(own.values[i] - other.values[i]), bound) << n << " at " << i;
    }
}

}  // namespace fg::test
