// SPDX-License-Identifier: BSD-3-Clause
//
// Rounding up numbers of items or bytes.
#pragma once

#include <concepts>

namespace fg {

/// The least multiple of `lot` that is at least n; neither is negative.
template <std::integral Whole>
constexpr Whole round_up(Whole n, Whole lot) noexcept {
  return (n + lot - 1) / lot * lot;
}

}  // namespace fg
