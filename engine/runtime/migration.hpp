// SPDX-License-Identifier: BSD-3-Clause
//
// How an element changes its PE. Inside a process the object stays and its home changes; to another
// process its members and its mailbox travel as a message. Queued messages point to the element's
// location, so the PE that comes to one sees that the element has gone and sends it on. A process
// that is asked for an element it does not have passes the message on to where it last knew the
// element to go, and tells the sender; a message that comes before its element waits for it.
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
  /// Sends a chare that wants to move on its way. On its PE, between messages.
  static void depart(ChareBase& chare);

  /// Takes an element in that has come from another process; `restarts`: and calls its restart.
  static void arrive(ArrayCore& array, int ordinal, int pe, std::uint32_t moves, bool restarts,
                     const Message& bytes);

  /// What another process says of an element's place.
  static void learn(Location& location, int pe, std::uint32_t moves);

  /// Between runs: puts an element of this process on a PE, of this process or not.
  static void place(ChareBase& chare, int pe);
  /// Between runs, of an element elsewhere.
  static void set_place(Location& location, int pe, std::uint32_t moves) noexcept;

 private:
  static Ref<const Message> pack(ChareBase& chare);
  static void unpack(ChareBase& chare, const Message& bytes);
  static void send_away(ChareBase& chare, int pe, bool restarts);
};

}  // namespace fg
