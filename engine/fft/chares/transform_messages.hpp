// SPDX-License-Identifier: BSD-3-Clause
//
// The messages of an array of transforms.
#pragma once

#include <cstdint>

#include "transport/message.hpp"

namespace fg::fft {

/// `there_and_back`: points to waves, the user's function of the waves, and back to points.
enum class Route : std::uint8_t { forward, backward, there_and_back };

/// The numbers of one part: those that a client starts with, and those that it gets back. A client
/// may derive its own struct with more fields, which its function of the waves then sees.
/// Trailing: the numbers in the storage of the part; complex, or real if they are points of a real
/// transform.
struct FieldMessage : Message {
  std::int64_t number;  // of the transform
  std::int32_t part;
  Route route;
};

/// What one part sends to another in one exchange. Trailing: the parcel.
struct ParcelMessage : Message {
  std::int64_t exchange;  // number among all exchanges of the sender
  std::int32_t from;      // part
};

}  // namespace fg::fft
