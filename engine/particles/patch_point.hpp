// SPDX-License-Identifier: BSD-3-Clause
#pragma once

#include <array>
#include <cstdint>

namespace fg {

/// A place relative to the middle of a patch, in whole numbers.
using PatchPoint = std::array<std::int32_t, 3>;
inline constexpr std::int32_t patch_length = 1 << 20;

}  // namespace fg
