// SPDX-License-Identifier: BSD-3-Clause
//
// SHA-256 (FIPS 180-4), for digests of states and files.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/sha256_blocks.hpp"

namespace fg {

class Sha256 {
 public:
  void add(std::span<const std::byte> bytes) noexcept;
  void add(std::string_view text) noexcept {
    add(std::as_bytes(std::span<const char>(text.data(), text.size())));
  }
  /// Adds the bytes in little-endian order on any machine.
  void add(double value) noexcept;
  void add(std::uint64_t value) noexcept;
  /// As each of them one by one.
  void add(std::span<const double> values) noexcept;

  /// Sixty-four hexadecimal digits; nothing may be added afterwards.
  std::string hex() noexcept;

 private:
  sha256::State state_{0x6a09e667u, 0xbb67ae85u, 0x3c6ef372u, 0xa54ff53au,
                       0x510e527fu, 0x9b05688cu, 0x1f83d9abu, 0x5be0cd19u};
  std::array<std::byte, sha256::block_size> pending_{};
  std::size_t pending_size_ = 0;
  std::uint64_t total_bytes_ = 0;
};

}  // namespace fg
