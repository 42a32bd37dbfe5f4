// SPDX-License-Identifier: BSD-3-Clause
//
// Numbers that several force terms share.
#pragma once

#include <numbers>

namespace fg {

inline constexpr double two_over_sqrt_pi = 2.0 * std::numbers::inv_sqrtpi;

}  // namespace fg
