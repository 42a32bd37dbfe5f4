// SPDX-License-Identifier: BSD-3-Clause
//
// What ranks send to each other in an exchange, and its place in a buffer.
#pragma once

#include <cstddef>
#include <vector>

#include "base/aligned_vector.hpp"
#include "base/round_up.hpp"

namespace fg::fft {

/// What one rank sends to another, or gets from it, in one exchange.
struct Parcel {
  int rank;
  std::byte* data;
  std::size_t bytes;
};

/// The bytes of a buffer for all of them. Each begins a cache line.
inline std::size_t room_for(const std::vector<Parcel>& parcels) noexcept {
  std::size_t bytes = 0;
  for (const Parcel& parcel : parcels) bytes += round_up(parcel.bytes, simd_alignment);
  return bytes;
}

inline void place(std::vector<Parcel>& parcels, std::byte* buffer) noexcept {
  for (Parcel& parcel : parcels) {
    parcel.data = buffer;
    buffer += round_up(parcel.bytes, simd_alignment);
  }
}

inline std::size_t bytes_of(const std::vector<Parcel>& parcels) noexcept {
  std::size_t bytes = 0;
  for (const Parcel& parcel : parcels) bytes += parcel.bytes;
  return bytes;
}

}  // namespace fg::fft
