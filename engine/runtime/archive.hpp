// SPDX-License-Identifier: BSD-3-Clause
//
// The data of a chare that moves to another process, written and read by one function:
//   void archive(fg::Archive& with) override { with(positions_, step_, held_); }
// Allowed are values that can be copied byte by byte, texts, messages, and vectors of these.
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "base/bytes.hpp"
#include "transport/message.hpp"

namespace fg {

class Archive {
 public:
  explicit Archive(ByteWriter& to) noexcept : to_(&to) {}
  explicit Archive(ByteReader& from) noexcept : from_(&from) {}

  bool writing() const noexcept { return to_ != nullptr; }

  template <class... T>
  void operator()(T&... values) {
    (one(values), ...);
  }

 private:
  template <class T>
  void one(T& value) {
    static_assert(!std::is_pointer_v<T>, "a pointer means nothing in another process");
    if constexpr (std::is_trivially_copyable_v<T> || std::is_same_v<T, std::string>) {
      to_ ? to_->put(value) : from_->get(value);
    } else {
      parts(value);
    }
  }
  template <class T, class A>
  void parts(std::vector<T, A>& values) {
    std::uint64_t size = values.size();
    one(size);
    if (!to_) values.resize(size);
    if constexpr (std::is_trivially_copyable_v<T>) {
      const std::span<std::byte> bytes = std::as_writable_bytes(std::span<T>(values));
      to_ ? to_->put_bytes(bytes) : from_->get_bytes(bytes);
    } else {
      for (T& value : values) one(value);
    }
  }
  template <class M>
  void parts(Ref<M>& message) {
    bool there = message.get() != nullptr;
    one(there);
    if (!there) {
      message = nullptr;
    } else if (to_) {
      to_->put(message->extent());
      to_->put_bytes(message->body());
    } else {
      Ref<Message> read = Message::with_extent(from_->get<MessageExtent>());
      from_->get_bytes(read->writable_body());
      message = Ref<M>::adopt(static_cast<M*>(read.detach()));
    }
  }

  ByteWriter* to_ = nullptr;
  ByteReader* from_ = nullptr;
};

}  // namespace fg
