// SPDX-License-Identifier: BSD-3-Clause
//
// A quick checksum: FNV-1a over words of 64 bits. It has to detect a torn write, not a forgery.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

namespace fg {

class Checksum {
 public:
  void add(std::uint64_t word) noexcept {
    sum_ = (sum_ ^ word) * 0x100000001b3u;
    sum_ ^= sum_ >> 29;
  }
  /// The last word is padded with zeros.
  void add(std::span<const std::byte> bytes) noexcept {
    for (std::size_t i = 0; i < bytes.size(); i += sizeof(std::uint64_t)) {
      std::uint64_t word = 0;
      const auto part = bytes.subspan(i, std::min(sizeof word, bytes.size() - i));
      std::memcpy(&word, part.data(), part.size());
      add(word);
    }
  }
  std::uint64_t value() const noexcept { return sum_; }

 private:
  std::uint64_t sum_ = 0xcbf29ce484222325u;
};

}  // namespace fg
