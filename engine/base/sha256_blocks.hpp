// SPDX-License-Identifier: BSD-3-Clause
//
// The compression function of SHA-256 (FIPS 180-4, section 6.2.2) on blocks of 64 bytes. With the
// instructions that many x86 processors have for it, it is about ten times as fast as without. Both
// give the same state, as the standard says.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fg::sha256 {

using State = std::array<std::uint32_t, 8>;

inline constexpr std::size_t block_size = 64;

// The first 32 bits of the fractional parts of the cube roots of the first 64 primes.
alignas(16) inline constexpr std::array<std::uint32_t, 64> round_constants{
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

/// Whether this processor has the instructions, and this build uses them.
bool has_instructions() noexcept;

/// Takes in `count` blocks, one after the other.
void absorb(State& state, const std::byte* blocks, std::size_t count) noexcept;

namespace reference {
void absorb(State& state, const std::byte* blocks, std::size_t count) noexcept;
}

}  // namespace fg::sha256
