// SPDX-License-Identifier: BSD-3-Clause
//
// The bits of MaskedPartner (pair_list.hpp).
#pragma once

#include <cstdint>

namespace fg {

constexpr std::uint32_t pair_bit(int row, int column) noexcept {
  return 1u << (4 * column + row);
}
/// All sixteen pairs are valid, and none is excluded.
inline constexpr std::uint32_t all_pairs = 0xFFFFFFFFu;

}  // namespace fg
