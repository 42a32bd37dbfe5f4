// SPDX-License-Identifier: BSD-3-Clause
//
// An item of a queue: the location of a chare, the entry, the step, and the argument. The argument
// is a reference-counted message, or up to eight bytes by value. A send allocates nothing except
// the message that it carries.
#pragma once

#include <cstdint>
#include <limits>

namespace fg {

struct Location;
struct EntryInfo;

/// Priority of a message. Lower lanes still get a bounded share of a busy PE.
enum class Lane : std::uint8_t { urgent, high, normal, low };
inline constexpr int lane_count = 4;

/// The tag of a message that no coroutine awaits.
inline constexpr std::int64_t no_step = std::numeric_limits<std::int64_t>::min();

struct Envelope {
  Location* target;
  const EntryInfo* entry;
  std::int64_t step;        // no_step, or the step a coroutine awaits
  std::uint64_t payload;    // a Message with one counted reference, or the value itself
  std::uint64_t cause = 0;  // for a traced message: its sender and time (trace.hpp)
};

/// A list of chares of one PE that all get the same message.
struct FanOut;

/// An item between PEs: one envelope, or one for each chare of `fan_out`.
struct Parcel {
  Envelope envelope;
  const FanOut* fan_out;
  Lane lane;
};

}  // namespace fg
