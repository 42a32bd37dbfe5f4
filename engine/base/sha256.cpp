// SPDX-License-Identifier: BSD-3-Clause
#include "base/sha256.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

namespace fg {

namespace {

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> round_constants{
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u,
    0xab1c5ed5u, 0xd807aa98u, 0x12835b01u, 0x243185beu, 0x550c7dc3u, 0x72be5d74u, 0x80deb1feu,
    0x9bdc06a7u, 0xc19bf174u, 0xe49b69c1u, 0xefbe4786u, 0x0fc19dc6u, 0x240ca1ccu, 0x2de92c6fu,
    0x4a7484aau, 0x5cb0a9dcu, 0x76f988dau, 0x983e5152u, 0xa831c66du, 0xb00327c8u, 0xbf597fc7u,
    0xc6e00bf3u, 0xd5a79147u, 0x06ca6351u, 0x14292967u, 0x27b70a85u, 0x2e1b2138u, 0x4d2c6dfcu,
    0x53380d13u, 0x650a7354u, 0x766a0abbu, 0x81c2c92eu, 0x92722c85u, 0xa2bfe8a1u, 0xa81a664bu,
    0xc24b8b70u, 0xc76c51a3u, 0xd192e819u, 0xd6990624u, 0xf40e3585u, 0x106aa070u, 0x19a4c116u,
    0x1e376c08u, 0x2748774cu, 0x34b0bcb5u, 0x391c0cb3u, 0x4ed8aa4au, 0x5b9cca4fu, 0x682e6ff3u,
    0x748f82eeu, 0x78a5636fu, 0x84c87814u, 0x8cc70208u, 0x90befffau, 0xa4506cebu, 0xbef9a3f7u,
    0xc67178f2u};

template <class Word>
std::array<std::byte, sizeof(Word)> little_endian(Word value) noexcept {
  std::array<std::byte, sizeof(Word)> bytes;
  for (std::size_t i = 0; i < sizeof(Word); ++i)
    bytes[i] = static_cast<std::byte>((value >> (8 * i)) & 0xff);
  return bytes;
}

}  // namespace

void Sha256::absorb(const std::byte* block) noexcept {
  std::array<std::uint32_t, 64> w;
  for (std::size_t i = 0; i < 16; ++i) {
    w[i] = 0;
    for (std::size_t b = 0; b < 4; ++b)
      w[i] = (w[i] << 8) | std::to_integer<std::uint32_t>(block[4 * i + b]);
  }
  for (std::size_t i = 16; i < 64; ++i) {
    const std::uint32_t s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
    const std::uint32_t s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
    w[i] = w[i - 16] + s0 + w[i - 7] + s1;
  }
  auto [a, b, c, d, e, f, g, h] = state_;
  for (std::size_t i = 0; i < 64; ++i) {
    const std::uint32_t big1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
    const std::uint32_t choice = (e & f) ^ (~e & g);
    const std::uint32_t t1 = h + big1 + choice + round_constants[i] + w[i];
    const std::uint32_t big0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
    const std::uint32_t majority = (a & b) ^ (a & c) ^ (b & c);
    h = g, g = f, f = e, e = d + t1;
    d = c, c = b, b = a, a = t1 + big0 + majority;
  }
  const std::array<std::uint32_t, 8> added{a, b, c, d, e, f, g, h};
  for (std::size_t i = 0; i < 8; ++i) state_[i] += added[i];
}

void Sha256::add(std::span<const std::byte> bytes) noexcept {
  total_bytes_ += bytes.size();
  while (!bytes.empty()) {
    if (pending_size_ == 0 && bytes.size() >= pending_.size()) {
      absorb(bytes.data());
      bytes = bytes.subspan(pending_.size());
      continue;
    }
    const std::size_t taken = std::min(bytes.size(), pending_.size() - pending_size_);
    std::memcpy(pending_.data() + pending_size_, bytes.data(), taken);
    pending_size_ += taken;
    bytes = bytes.subspan(taken);
    if (pending_size_ == pending_.size()) {
      absorb(pending_.data());
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
