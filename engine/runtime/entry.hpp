// SPDX-License-Identifier: BSD-3-Clause
//
// Entries: member functions that a message invokes. Each entry used in a program has an EntryInfo
// with a function pointer that unpacks the argument and calls the entry. No declaration or code
// generation is needed. An entry takes a message (Ref<const M>), a trivially copyable value of at
// most 8 bytes, or nothing. It returns void, or a Task to start the chare's life.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <utility>

#include "runtime/task.hpp"
#include "runtime/threads/envelope.hpp"
#include "transport/message.hpp"

namespace fg {

struct EntryInfo {
  using Invoke = void (*)(ChareBase& target, std::uint64_t payload);

  EntryInfo(Invoke invoke, bool carries_message, std::string_view name) noexcept;
  EntryInfo(const EntryInfo&) = delete;

  void release(std::uint64_t payload) const noexcept;

  const Invoke invoke;
  const bool carries_message;
  const std::string_view name;
  int id = -1;  // rank of the name among all entries, set when the first runtime starts
  EntryInfo* next = nullptr;  // registered before this one
};

/// Gives every entry of the program its id, in the order of names; returns their number.
int number_entries();
/// The entry with an id below `number_entries()`.
const EntryInfo& entry_with_id(int id);

namespace detail {

template <class Entry>
struct EntrySignature;
template <class C, class R>
struct EntrySignature<R (C::*)()> {
  using Chare = C;
  using Result = R;
  using Argument = void;
};
template <class C, class R, class A>
struct EntrySignature<R (C::*)(A)> {
  using Chare = C;
  using Result = R;
  using Argument = std::remove_cvref_t<A>;
};
template <class C, class R>
struct EntrySignature<R (C::*)() noexcept> : EntrySignature<R (C::*)()> {};
template <class C, class R, class A>
struct EntrySignature<R (C::*)(A) noexcept> : EntrySignature<R (C::*)(A)> {};

template <class T>
struct MessageOf {
  static constexpr bool is_message = false;
};
template <class T>
struct MessageOf<Ref<T>> {
  static constexpr bool is_message = true;
  using type = const T;
};

/// Extracts "ns::Class::member" from the compiler's name of this function.
template <auto Member>
constexpr std::string_view entry_name() noexcept {
  constexpr std::string_view whole = __PRETTY_FUNCTION__;
  constexpr std::string_view mark = "Member = ";
  constexpr std::size_t begin = whole.find(mark) + mark.size();
  std::string_view name = whole.substr(begin, whole.find_last_of(";]") - begin);
  if (const std::size_t end = name.find("; "); end != name.npos) name = name.substr(0, end);
  if (name.front() == '&') name.remove_prefix(1);
  if (name.front() == '(') {  // GCC writes (type)(&member)
    const std::size_t and_sign = name.find('&');
    if (and_sign != name.npos) name = name.substr(and_sign + 1, name.size() - and_sign - 2);
  }
  return name;
}

void start_life(ChareBase& chare, Task&& life, const EntryInfo& entry);

/// An argument to be sent, and its lane.
struct Outgoing {
  std::uint64_t payload;
  Lane lane;
};

}  // namespace detail

template <auto Member>
struct EntryOf {
  using Signature = detail::EntrySignature<decltype(Member)>;
  using Chare = typename Signature::Chare;
  using Argument = typename Signature::Argument;
  using Message = detail::MessageOf<Argument>;
  static constexpr bool takes_nothing = std::is_void_v<Argument>;
  static constexpr bool takes_message = Message::is_message;
  static constexpr bool starts_life = std::is_same_v<typename Signature::Result, Task>;
  static_assert(starts_life || std::is_void_v<typename Signature::Result>,
                "an entry returns void or Task");

  static void invoke(ChareBase& target, std::uint64_t payload) {
    Chare& chare = static_cast<Chare&>(target);
    if constexpr (takes_nothing) {
      if constexpr (starts_life) {
        detail::start_life(target, (chare.*Member)(), info);
      } else {
        (chare.*Member)();
      }
    } else if constexpr (starts_life) {
      detail::start_life(target, (chare.*Member)(unpack(payload)), info);
    } else {
      (chare.*Member)(unpack(payload));
    }
  }

  static Argument unpack(std::uint64_t payload) noexcept {
    if constexpr (takes_message) {
      return Ref<typename Message::type>::adopt(
          reinterpret_cast<typename Message::type*>(static_cast<std::uintptr_t>(payload)));
    } else if constexpr (!takes_nothing) {
      static_assert(
          std::is_trivially_copyable_v<Argument> && sizeof(Argument) <= 8,
          "an entry takes a Ref<const M> or a trivially copyable value of at most 8 bytes");
      Argument value;
      std::memcpy(&value, &payload, sizeof value);
      return value;
    }
  }

  static detail::Outgoing pack(Lane lane = Lane::normal) noexcept
    requires(takes_nothing)
  {
    return {0, lane};
  }
  template <class A>
    requires(!takes_nothing && std::is_convertible_v<A &&, Argument>)
  static detail::Outgoing pack(A&& argument, Lane lane = Lane::normal) noexcept {
    if constexpr (takes_message) {
      Ref<typename Message::type> message(std::forward<A>(argument));
      return {reinterpret_cast<std::uintptr_t>(message.detach()), lane};
    } else {
      const Argument value = static_cast<Argument>(argument);
      std::uint64_t payload = 0;
      std::memcpy(&payload, &value, sizeof value);
      return {payload, lane};
    }
  }

  static inline EntryInfo info{&invoke, takes_message, detail::entry_name<Member>()};
};

}  // namespace fg
