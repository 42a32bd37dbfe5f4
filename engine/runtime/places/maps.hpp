// SPDX-License-Identifier: BSD-3-Clause
//
// Maps from an element to its PE: pure functions of (index, shape, PEs). They decide where an
// object works, never what it computes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace fg {

namespace maps {

template <std::size_t D>
std::int64_t linear(const std::array<int, D>& index, const std::array<int, D>& shape) noexcept {
  std::int64_t position = 0;
  for (std::size_t d = 0; d < D; ++d) position = position * shape[d] + index[d];
  return position;
}
template <std::size_t D>
std::int64_t volume(const std::array<int, D>& shape) noexcept {
  std::int64_t product = 1;
  for (int extent : shape) product *= extent;
  return product;
}

/// Consecutive elements in index order, one range per PE; the lengths differ by at most one.
template <std::size_t D>
int block(const std::array<int, D>& index, const std::array<int, D>& shape, int pes) noexcept {
  return static_cast<int>(linear(index, shape) * pes / volume(shape));
}

/// The same, with the last index slowest: elements with the same last index are near each other.
template <std::size_t D>
int plane(const std::array<int, D>& index, const std::array<int, D>& shape, int pes) noexcept {
  std::array<int, D> reversed{}, sides{};
  for (std::size_t d = 0; d < D; ++d) {
    reversed[d] = index[D - 1 - d];
    sides[d] = shape[D - 1 - d];
  }
  return block(reversed, sides, pes);
}

/// Blocks of the first index times blocks of the last one. The two numbers of blocks are as nearly
/// the same as the shape allows. As `block` if the PEs are no product of such numbers.
template <std::size_t D>
int hybrid(const std::array<int, D>& index, const std::array<int, D>& shape, int pes) noexcept {
  int rows = 0;
  for (int i = 1; i <= shape[0] && i <= pes; ++i) {
    const int columns = pes / i;
    if (i * columns != pes || columns > shape[D - 1]) continue;
    const auto longer = [pes](int r) { return r > pes / r ? r : pes / r; };
    if (rows == 0 || longer(i) < longer(rows)) rows = i;
  }
  if (D == 1 || rows == 0) return block(index, shape, pes);
  const int columns = pes / rows;
  const auto part = [](std::int64_t i, int parts, int count) {
    return static_cast<int>(i * parts / count);
  };
  return part(index[0], rows, shape[0]) * columns + part(index[D - 1], columns, shape[D - 1]);
}

/// Neighbours in index order are on different PEs.
template <std::size_t D>
int round_robin(const std::array<int, D>& index, const std::array<int, D>& shape,
                int pes) noexcept {
  return static_cast<int>(linear(index, shape) % pes);
}

/// Random placement; another `seed` gives another one. Mixer of SplitMix64 (Steele et al., OOPSLA
/// 2014).
template <std::size_t D>
int hashed(const std::array<int, D>& index, const std::array<int, D>& shape, int pes,
           std::uint64_t seed = 0) noexcept {
  std::uint64_t z = static_cast<std::uint64_t>(linear(index, shape)) + seed * 0x9e3779b97f4a7c15u +
                    0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  z ^= z >> 31;
  return static_cast<int>(z % static_cast<std::uint64_t>(pes));
}

}  // namespace maps

/// The same, with shape and PEs bound, in the form that Runtime::create_array takes.
template <std::size_t D>
auto block_map(std::array<int, D> shape, int pes) {
  return [=](const std::array<int, D>& index) { return maps::block(index, shape, pes); };
}
template <std::size_t D>
auto round_robin_map(std::array<int, D> shape, int pes) {
  return [=](const std::array<int, D>& index) { return maps::round_robin(index, shape, pes); };
}
template <std::size_t D>
auto hashed_map(std::array<int, D> shape, int pes, std::uint64_t seed = 0) {
  return [=](const std::array<int, D>& index) { return maps::hashed(index, shape, pes, seed); };
}

}  // namespace fg
