// SPDX-License-Identifier: BSD-3-Clause
//
// Adds force arrays to fixed-point accumulators by SIMD, with the same bits as
// force_scale.to_fixed(), and finds a value that does not fit.
// Units: hartree/bohr; base/fixed_point.hpp.
#pragma once

#include <cstddef>
#include <cstdint>

namespace fg {

/// sums[k] += fixed(values[k]). Returns false if any |value| is not below force_scale.limit(), or
/// is NaN; the sums are then invalid.
[[nodiscard]] bool add_fixed(std::int64_t* sums, const float* values, std::size_t n) noexcept;
[[nodiscard]] bool add_fixed(std::int64_t* sums, const double* values, std::size_t n) noexcept;

/// The index of the first value that does not fit, or n.
std::size_t find_bad(const float* values, std::size_t n) noexcept;
std::size_t find_bad(const double* values, std::size_t n) noexcept;

}  // namespace fg
