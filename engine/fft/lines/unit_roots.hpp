// SPDX-License-Identifier: BSD-3-Clause
//
// Many roots of unity of one order. Each is the product of two from short tables, in long double,
// and has the bits of unit_root, rounded. If the product is so close to the middle of two numbers
// that its error could matter, unit_root itself is called.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "fft/lines/unit_root.hpp"

namespace fg::fft {

template <class Real>
struct RoundedRoot {
  Real cosine;
  Real sine;
};

class UnitRoots {
 public:
  explicit UnitRoots(std::int64_t order);

  /// exp(2 pi i k / order) for 0 <= k < order.
  template <class Real>
  RoundedRoot<Real> rounded(std::int64_t k) const {
    const UnitRoot& a = far_[static_cast<std::size_t>(k >> shift_)];
    const UnitRoot& b = near_[static_cast<std::size_t>(k & ((std::int64_t{1} << shift_) - 1))];
    const long double c = a.cosine * b.cosine - a.sine * b.sine;
    const long double s = a.cosine * b.sine + a.sine * b.cosine;
    const RoundedRoot<Real> low{static_cast<Real>(c - error), static_cast<Real>(s - error)};
    const RoundedRoot<Real> high{static_cast<Real>(c + error), static_cast<Real>(s + error)};
    if (low.cosine == high.cosine && low.sine == high.sine) return low;
    const UnitRoot exact = unit_root(k, order_);
    return {static_cast<Real>(exact.cosine), static_cast<Real>(exact.sine)};
  }

 private:
  /// Units are u, half an epsilon. unit_root is wrong by at most 3.3 in each component, and by 4.4
  /// as a vector. So a product is wrong by 2 * 4.4 + 2.1 for its own rounding. The two may differ
  /// by 14.2.
  static constexpr long double error = 8 * std::numeric_limits<long double>::epsilon();

  std::int64_t order_;
  int shift_ = 0;
  std::vector<UnitRoot> far_, near_;  // of the multiples of 2^shift_, and of 0, 1, ... below it
};

/// exp(2 pi i k / order) for 0 <= k <= order / 2, with the bits of unit_root.
std::vector<UnitRoot> half_turn_of_roots(std::int64_t order);

}  // namespace fg::fft
