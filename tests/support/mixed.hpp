// SPDX-License-Identifier: BSD-3-Clause
//
// A digest of numbers in their order; it overflows as unsigned numbers do.
#pragma once

#include <cstdint>

namespace fg::test {

inline std::int64_t mixed(std::int64_t digest, std::int64_t number) noexcept {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(digest) * 31 +
                                   static_cast<std::uint64_t>(number));
}

}  // namespace fg::test
