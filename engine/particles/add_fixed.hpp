// SPDX-License-Identifier: BSD-3-Clause
//
// Adds force arrays to fixed-point accumulators by SIMD. The bits are those of
// force_scale.to_fixed(). Finds a value that does not fit. Units: hartree/bohr;
// base/fixed_point.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include "particles/cluster_order.hpp"

namespace fg {

/// Adds the forces of clusters, [clusters][24], to those of the sums, where cluster c is number
/// place[c]. Returns the first c with a value that is NaN or not below force_scale.limit(), or
/// `clusters`. With such a value the sums are invalid.
[[nodiscard]] int add_fixed(std::int64_t* sums, const float* values, const std::int32_t* place,
                            int clusters) noexcept;
[[nodiscard]] int add_fixed(std::int64_t* sums, const double* values, const std::int32_t* place,
                            int clusters) noexcept;

/// Adds the forces of clusters of a patch, whose quads (neighbourhood.hpp) follow each other from
/// `quads` on, to [clusters][24] sums. `touched`: which clusters. Returns the slot of a force that
/// is NaN or not below force_scale.limit(), or -1. With such a force the sums are invalid.
[[nodiscard]] int add_fixed_quads(std::int64_t* sums, const float* quads,
                                  std::span<const std::int32_t> touched) noexcept;
[[nodiscard]] int add_fixed_quads(std::int64_t* sums, const double* quads,
                                  std::span<const std::int32_t> touched) noexcept;

/// The index of the first value that does not fit, or n.
std::size_t find_bad(const float* values, std::size_t n) noexcept;
std::size_t find_bad(const double* values, std::size_t n) noexcept;

}  // namespace fg
