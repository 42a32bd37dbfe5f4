// SPDX-License-Identifier: BSD-3-Clause
//
// Force arrays into fixed-point accumulators, by SIMD, with the very bits of
// force_scale.to_fixed(); and the search for the value that did not fit.
// Units: hartree/bohr; base/fixed_point.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fg {

/// sums[k] += fixed(values[k]). False if any |value| is not below force_scale.limit(), NaN
/// included; the sums are then of no use.
[[nodiscard]] bool add_fixed(std::int64_t* sums, const float* values, std::size_t n) noexcept;
[[nodiscard]] bool add_fixed(std::int64_t* sums, const double* values, std::size_t n) noexcept;

/// The index of the first value that does not fit, or n.
std::size_t find_bad(const float* values, std::size_t n) noexcept;
std::size_t find_bad(const double* values, std::size_t n) noexcept;

}  // namespace fg
