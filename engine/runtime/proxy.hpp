// SPDX-License-Identifier: BSD-3-Clause
//
// Element<C>: a proxy, by which one chare sends to another. A send queues a message and returns;
// even a chare of the same PE is reached through the queue. Messages sent one after another may
// arrive in any order.
#pragma once

#include <cstdint>
#include <type_traits>
#include <utility>

#include "runtime/entry.hpp"
#include "runtime/scheduler.hpp"

namespace fg {

struct Location;

namespace detail {
void send_to(Location& location, Lane lane, const EntryInfo& entry, std::int64_t step,
             std::uint64_t payload);
}

template <class C>
class Element {
 public:
  Element() = default;
  explicit Element(Location* location) noexcept : location_(location) {}

  /// Invokes the entry when the message is taken from the queue. Arguments: those of the entry,
  /// then optionally a Lane.
  template <auto Member, class... A>
  void send(A&&... argument_and_lane) const {
    post<Member>(no_step, std::forward<A>(argument_and_lane)...);
  }
  /// Invokes the entry when the chare's coroutine awaits this entry and step.
  template <auto Member, class... A>
  void send_at(std::int64_t step, A&&... argument_and_lane) const {
    static_assert(!EntryOf<Member>::starts_life, "a life starts at once");
    post<Member>(step, std::forward<A>(argument_and_lane)...);
  }

  /// Whether the element is in this process, as far as is known here.
  bool here() const noexcept;

  Location* location() const noexcept { return location_; }
  explicit operator bool() const noexcept { return location_ != nullptr; }
  friend bool operator==(const Element&, const Element&) = default;

 private:
  template <auto Member, class... A>
  void post(std::int64_t step, A&&... argument_and_lane) const;

  Location* location_ = nullptr;
};

}  // namespace fg
