// SPDX-License-Identifier: BSD-3-Clause
//
// How an element moves to another PE. Inside a process the object stays in memory and its home
// changes. To another process its members and its mailbox travel as a message. Queued messages
// point to the element's location, so a PE that finds one sees that the element has moved, and
// forwards it.
//
// A process may get a message for an element that it does not have. It forwards the message to the
// element's last known place and tells the sender. A message that arrives before its element waits
// for it.
#pragma once

#include <cstdint>
#include <vector>

#include "transport/message.hpp"

namespace fg {

class Archive;
class ChareBase;
class Pe;
class Runtime;
struct ArrayCore;
struct Location;

struct Migration {
  /// Sends off a chare that wants to move. Called on its PE, between messages.
  static void depart(ChareBase& chare);

  /// Takes in an element from another process; `restarts`: also calls its restart.
  static void arrive(ArrayCore& array, int ordinal, int pe, std::uint32_t moves, bool restarts,
                     const Message& bytes);

  /// Takes in what another process reports about an element's place.
  static void learn(Location& location, int pe, std::uint32_t moves);

  /// Between runs: moves an element of this process to a PE of this or another process.
  static void place(ChareBase& chare, int pe);
  /// Between runs: sets the place of an element in another process.
  static void set_place(Location& location, int pe, std::uint32_t moves) noexcept;

 private:
  static Ref<const Message> pack(ChareBase& chare);
  static void unpack(ChareBase& chare, const Message& bytes);
  static void send_away(ChareBase& chare, int pe, bool restarts);
};

}  // namespace fg
