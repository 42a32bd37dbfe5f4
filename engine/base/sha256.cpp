// SPDX-License-Identifier: BSD-3-Clause
#include "base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fg {

namespace {

template <class Word>
std::array<std::byte, sizeof(Word)> little_endian(Word value) noexcept {
  std::array<std::byte, sizeof(Word)> bytes;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
  return bytes;
}

}  // namespace

void Sha256::add(std::span<const std::byte> bytes) noexcept {
  total_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (pending_size_ == 0 && bytes.size() >= pending_.size()) {
      const std::size_t blocks = bytes.size() / sha256::block_size;
      sha256::absorb(state_, bytes.data(), blocks);
      bytes = bytes.subspan(blocks * sha256::block_size);
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), pending_.size() - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), taken);
    pending_size_ += taken;
    bytes = bytes.subspan(taken);
    if (pending_size_ == pending_.size()) {
      sha256::absorb(state_, pending_.data(), 1);
      pending_size_ = 0;
    }
  }
}

void Sha256::add(double value) noexcept {
  add(std::bit_cast<std::uint64_t>(value));
}

void Sha256::add(std::uint64_t value) noexcept {
  const auto bytes = little_endian(value);
  add(std::span<const std::byte>(bytes));
}

void Sha256::add(std::span<const double> values) noexcept {
  if constexpr (std::endian::native == std::endian::little)
    add(std::as_bytes(values));
  else
    for (const double value : values) add(value);
}

std::string Sha256::hex() noexcept {
  const std::uint64_t bits = total_bytes_ * 8;
  const std::byte one{0x80}, zero{0};
  add(std::span<const std::byte>(&one, 1));
  while (pending_size_ != 56) add(std::span<const std::byte>(&zero, 1));
  std::array<std::byte, 8> length = little_endian(bits);
  std::reverse(length.begin(), length.end());
  add(std::span<const std::byte>(length));
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  for (const std::uint32_t word : state_)
    for (int shift = 28; shift >= 0; shift -= 4) text += digits[(word >> shift) & 0xf];
  return text;
}

}  // namespace fg
