// SPDX-License-Identifier: BSD-3-Clause
//
// Counter-based random numbers. A number is a pure function of (seed, atom, step, purpose). So it
// is the same wherever and whenever it is drawn. Source: Philox4x32-10 of Salmon, Moraes, Dror,
// Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC11, doi:10.1145/2063384.2063405; normals
// by Box and Muller, Ann. Math. Stat. 29, 610 (1958).
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/vec3.hpp"

namespace fg {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

inline constexpr std::array<std::uint32_t, 2> philox_multiplier = {0xD2511F53u, 0xCD9E8D57u};
inline constexpr std::array<std::uint32_t, 2> philox_weyl = {0x9E3779B9u, 0xBB67AE85u};
inline constexpr int philox_rounds = 10;

/// Four random words from a counter and a key.
constexpr PhiloxCounter philox4x32(PhiloxCounter c, PhiloxKey k) noexcept {
  for (int round = 0; round < philox_rounds; ++round) {
    const std::uint64_t p0 = std::uint64_t{philox_multiplier[0]} * c[0];
    const std::uint64_t p1 = std::uint64_t{philox_multiplier[1]} * c[2];
    c = {static_cast<std::uint32_t>(p1 >> 32) ^ c[1] ^ k[0], static_cast<std::uint32_t>(p1),
         static_cast<std::uint32_t>(p0 >> 32) ^ c[3] ^ k[1], static_cast<std::uint32_t>(p0)};
    k = {k[0] + philox_weyl[0], k[1] + philox_weyl[1]};
  }
  return c;
}

/// The use of a number; part of the counter, so that no two uses share numbers.
enum class RandomPurpose : std::uint32_t {
  initial_velocity = 1,
  langevin = 2,
  placement = 3,
  thermostat = 4,
  barostat = 5,
  orbital = 6,
  test = 0xFFFF,
};

/// A series of random numbers, one triple of independent standard normals per atom.
struct RandomStream {
  std::uint64_t seed = 0;
  std::uint64_t step = 0;
  RandomPurpose purpose = RandomPurpose::test;
};

/// Writes normals[axis][i] for atom ids[i]. Ids are taken as unsigned words; any value is allowed.
/// Accurate to single precision, at most 6.7 standard deviations. An id gets the same bits at any
/// place in `ids`. Cost: about 10 ns an atom on one AVX2 core.
void normal_triples(const RandomStream& stream, std::span<const std::int32_t> ids,
                    const std::array<float*, 3>& normals) noexcept;

/// The plain double-precision reference: the same numbers before rounding to single precision.
Vec3 normal_triple_reference(const RandomStream& stream, std::int32_t id) noexcept;

/// One number between 0 and 1, from the first normal of `id`.
double uniform_reference(const RandomStream& stream, std::int32_t id) noexcept;

}  // namespace fg
