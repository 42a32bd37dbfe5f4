// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for messages by entry and step, like structured dagger in Charm++.
//   co_await when<&Cell::accept>(step, 14);
//   co_await all_of(expect<&Cell::accept>(step, 14), expect<&Cell::mesh>(step));
//   const std::size_t first =
//       co_await any_of(expect<&Cell::accept>(step, 14), expect<&Cell::end>(0));
// A message sent with `send_at` is handed to its entry at once if its chare awaits it. Otherwise it
// is kept in the chare's mailbox. When all have arrived, the coroutine resumes. Messages for
// `any_of` are kept until one of the alternatives is complete. Then only the messages of this
// alternative are handed over. The others can be awaited again.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/entry.hpp"
#include "runtime/threads/envelope.hpp"

namespace fg {

/// A number of messages for an entry, tagged with a step.
struct Expectation {
  const EntryInfo* entry;
  std::int64_t step;
  std::int64_t remaining;

  bool needs(const Envelope& envelope) const noexcept {
    return entry == envelope.entry && step == envelope.step && remaining > 0;
  }
};

/// Messages that arrived before they were awaited; nodes come from the PE's pool.
class Mailbox {
 public:
  Mailbox() = default;
  Mailbox(const Mailbox&) = delete;
  Mailbox& operator=(const Mailbox&) = delete;
  ~Mailbox() { clear(); }

  void keep(const Envelope& envelope);
  /// Removes the oldest message that one of `wanted` still needs; false if there is none.
  bool take(std::span<Expectation> wanted, Envelope& envelope);
  /// Whether all that `wanted` needs is here.
  bool holds(const Expectation& wanted) const noexcept;
  void clear() noexcept;
  /// Removes the oldest message; false if there is none.
  bool take(Envelope& envelope) noexcept;

  bool empty() const noexcept { return first_ == nullptr; }
  std::size_t size() const noexcept;

 private:
  struct Node;
  Node* first_ = nullptr;
  Node** last_ = &first_;
};

namespace detail {

/// Hands over messages from the mailbox; returns how many are still missing.
std::int64_t take_messages(ChareBase& chare, std::span<Expectation> wanted);
inline constexpr std::size_t none = static_cast<std::size_t>(-1);
/// Hands over the messages of the first alternative for which all are there; returns its place, or
/// `none`.
std::size_t take_any(ChareBase& chare, std::span<const Expectation> alternatives);
void wait_for_messages(Suspension& one) noexcept;

template <std::size_t N>
struct MessageAwaiter {
  ChareBase* chare;
  std::array<Expectation, N> wanted;
  std::int64_t missing = 0;

  bool await_ready() {
    missing = take_messages(*chare, wanted);
    return missing == 0;
  }
  void await_suspend(Task::Handle handle) noexcept {
    Suspension& one = handle.promise();
    one.wanted = wanted.data();
    one.wanted_count = N;
    one.outstanding = missing;
    one.any = nullptr;
    wait_for_messages(one);
  }
  void await_resume() const noexcept {}
};

template <std::size_t N>
struct AnyAwaiter {
  ChareBase* chare;
  std::array<Expectation, N> wanted;
  std::size_t first = none;

  bool await_ready() {
    first = take_any(*chare, wanted);
    return first != none;
  }
  void await_suspend(Task::Handle handle) noexcept {
    Suspension& one = handle.promise();
    one.wanted = wanted.data();
    one.wanted_count = N;
    one.any = &first;
    wait_for_messages(one);
  }
  std::size_t await_resume() const noexcept { return first; }
};

template <std::size_t N>
struct Expectations {
  std::array<Expectation, N> wanted;
  MessageAwaiter<N> bind(ChareBase& chare) const noexcept { return {&chare, wanted}; }
};
template <std::size_t N>
struct Alternatives {
  std::array<Expectation, N> wanted;
  AnyAwaiter<N> bind(ChareBase& chare) const noexcept { return {&chare, wanted}; }
};

}  // namespace detail

/// `count` messages sent with `send_at<Member>(step, ...)`.
template <auto Member>
Expectation expect(std::int64_t step, std::int64_t count = 1) noexcept {
  static_assert(!EntryOf<Member>::starts_life, "an awaited entry returns void");
  return {&EntryOf<Member>::info, step, count};
}

template <auto Member>
detail::Expectations<1> when(std::int64_t step, std::int64_t count = 1) noexcept {
  return {{expect<Member>(step, count)}};
}

/// All of the expectations, in any order of arrival.
template <class... Each>
detail::Expectations<sizeof...(Each)> all_of(Each... each) noexcept {
  return {{each...}};
}

/// Whichever of the expectations is complete first; the result is its place among them. If several
/// are when the life comes to this point, it is the first of these. Which it is may depend on
/// timing; what the life computes must not.
template <class... Each>
detail::Alternatives<sizeof...(Each)> any_of(Each... each) noexcept {
  static_assert(sizeof...(Each) > 0);
  return {{each...}};
}

}  // namespace fg
