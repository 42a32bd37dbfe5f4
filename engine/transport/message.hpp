// SPDX-License-Identifier: BSD-3-Clause
//
// A message: a reference-counted buffer, written by its maker, immutable once sent. It starts with
// the fields of a struct derived from Message, followed by `trailing` bytes aligned to 64. Both are
// raw data, so many receivers can share a message and its bytes can be sent to another process
// unchanged.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <new>
#include <span>
#include <type_traits>
#include <utility>

#include "base/error.hpp"
#include "transport/pool.hpp"

namespace fg {

template <class T>
class Ref;
/// A new message of type T, its fields zero, with uninitialised trailing bytes.
template <class T>
Ref<T> make_message(std::size_t trailing_bytes = 0);

/// The size of a message: all that another process needs to make an equal one.
struct MessageExtent {
  std::uint32_t trailing_offset;
  std::uint64_t trailing_bytes;
};

class Message {
 public:
  /// A message without contents, which are to be written into writable_body().
  static Ref<Message> with_extent(const MessageExtent& extent);

  Message(const Message&) = delete;
  Message& operator=(const Message&) = delete;

  /// The trailing bytes, aligned to 64.
  template <class T>
  T* trailing() noexcept {
    static_assert(std::is_trivially_copyable_v<T>);
    return reinterpret_cast<T*>(reinterpret_cast<char*>(this) + trailing_offset_);
  }
  template <class T>
  const T* trailing() const noexcept {
    return const_cast<Message*>(this)->trailing<T>();
  }
  std::size_t trailing_bytes() const noexcept { return trailing_bytes_; }

  MessageExtent extent() const noexcept { return {trailing_offset_, trailing_bytes_}; }
  /// Fields and trailing bytes, with the padding between them: the bytes that are sent to another
  /// process.
  std::span<const std::byte> body() const noexcept {
    return const_cast<Message*>(this)->writable_body();
  }
  std::span<std::byte> writable_body() noexcept {
    // Fields of a derived struct may begin in the padding at the end of this class.
    auto* const begin = reinterpret_cast<std::byte*>(&trailing_offset_ + 1);
    return {begin, reinterpret_cast<std::byte*>(this) + trailing_offset_ + trailing_bytes_};
  }

  void add_references(std::uint32_t n) const noexcept {
    references_.fetch_add(n, std::memory_order_relaxed);
  }
  void drop_reference() const noexcept {
    // The last holder needs no read-modify-write, because no other thread can change the count.
    if (references_.load(std::memory_order_acquire) == 1 ||
        references_.fetch_sub(1, std::memory_order_acq_rel) == 1)
      Pool::release({const_cast<Message*>(this), owner_, size_class_});
  }
  bool unique() const noexcept { return references_.load(std::memory_order_acquire) == 1; }

 protected:
  Message() noexcept {}
  ~Message() = default;

 private:
  template <class T>
  friend Ref<T> make_message(std::size_t trailing_bytes);

  mutable std::atomic<std::uint32_t> references_{1};
  std::uint32_t size_class_ = 0;
  Pool* owner_ = nullptr;
  std::size_t trailing_bytes_ = 0;
  std::uint32_t trailing_offset_ = 0;
};

/// A reference-counting pointer to a message.
template <class T>
class Ref {
 public:
  using element_type = T;

  Ref() = default;
  Ref(std::nullptr_t) noexcept {}
  Ref(const Ref& other) noexcept : message_(other.message_) {
    if (message_) message_->add_references(1);
  }
  Ref(Ref&& other) noexcept : message_(std::exchange(other.message_, nullptr)) {}
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(const Ref<U>& other) noexcept : message_(other.get()) {
    if (message_) message_->add_references(1);
  }
  template <class U>
    requires std::is_convertible_v<U*, T*>
  Ref(Ref<U>&& other) noexcept : message_(other.detach()) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(message_, other.message_);
    return *this;
  }
  ~Ref() {
    if (message_) message_->drop_reference();
  }

  /// Takes over a reference that is already counted.
  static Ref adopt(T* message) noexcept {
    Ref ref;
    ref.message_ = message;
    return ref;
  }
  /// Passes the counted reference to the caller.
  T* detach() noexcept { return std::exchange(message_, nullptr); }

  T* get() const noexcept { return message_; }
  T* operator->() const noexcept { return message_; }
  T& operator*() const noexcept { return *message_; }
  explicit operator bool() const noexcept { return message_ != nullptr; }
  friend bool operator==(const Ref& a, const Ref& b) noexcept { return a.message_ == b.message_; }

 private:
  T* message_ = nullptr;
};

/// A message that only the caller holds, to be written and sent again.
template <class T>
Ref<T> writable_again(Ref<const T> message) {
  FG_CHECK(message->unique());
  return Ref<T>::adopt(const_cast<T*>(message.detach()));
}

template <class T>
Ref<T> make_message(std::size_t trailing_bytes) {
  static_assert(std::is_base_of_v<Message, T>);
  static_assert(std::is_trivially_destructible_v<T>, "a message is raw data");
  static_assert(alignof(T) <= Pool::alignment);
  constexpr std::size_t offset =
      (sizeof(T) + Pool::alignment - 1) / Pool::alignment * Pool::alignment;
  const Block block = Pool::allocate(trailing_bytes ? offset + trailing_bytes : sizeof(T));
  T* const message = new (block.memory) T();
  Message* const header = message;
  header->owner_ = block.owner;
  header->size_class_ = block.size_class;
  header->trailing_bytes_ = trailing_bytes;
  header->trailing_offset_ = static_cast<std::uint32_t>(offset);
  return Ref<T>::adopt(message);
}

inline Ref<Message> Message::with_extent(const MessageExtent& extent) {
  const Block block = Pool::allocate(extent.trailing_offset + extent.trailing_bytes);
  auto* const message = new (block.memory) Message();
  message->owner_ = block.owner;
  message->size_class_ = block.size_class;
  message->trailing_bytes_ = extent.trailing_bytes;
  message->trailing_offset_ = extent.trailing_offset;
  return Ref<Message>::adopt(message);
}

}  // namespace fg
