// SPDX-License-Identifier: BSD-3-Clause
//
// Waiting for messages by entry and step, like structured dagger in Charm++.
//   co_await when<&Cell::accept>(step, 14);
//   co_await all_of(expect<&Cell::accept>(step, 14), expect<&Cell::mesh>(step));
// A message sent with `send_at` is handed to its entry at once if its chare awaits it, and
// otherwise kept in the chare's mailbox. When all have arrived, the coroutine resumes.
#pragma once

#include <array>
#include <coroutine>
#include <cstddef>
#include <cstdint>

#include "runtime/entry.hpp"
#include "runtime/envelope.hpp"

namespace fg {

/// A number of messages for an entry, tagged with a step.
struct Expectation {
  const EntryInfo* entry;
  std::int64_t step;
  std::int64_t remaining;
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
  bool take(Expectation* wanted, std::size_t count, Envelope& envelope);
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

/// Takes messages from the mailbox; true if nothing is left to wait for.
bool await_messages(ChareBase& chare, Expectation* wanted, std::size_t count);
void suspend_for_messages(ChareBase& chare, Expectation* wanted, std::size_t count,
                          std::coroutine_handle<> handle) noexcept;

template <std::size_t N>
struct MessageAwaiter {
  ChareBase* chare;
  std::array<Expectation, N> wanted;

  bool await_ready() { return await_messages(*chare, wanted.data(), N); }
  void await_suspend(std::coroutine_handle<> handle) noexcept {
    suspend_for_messages(*chare, wanted.data(), N, handle);
  }
  void await_resume() const noexcept {}
};

template <std::size_t N>
struct Expectations {
  std::array<Expectation, N> wanted;
  MessageAwaiter<N> bind(ChareBase& chare) const noexcept { return {&chare, wanted}; }
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

}  // namespace fg
