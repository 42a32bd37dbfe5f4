// SPDX-License-Identifier: BSD-3-Clause
//
// Values as raw bytes for another process of the same program, in the order in which they are put.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

#include "base/error.hpp"

namespace fg {

class ByteWriter {
 public:
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const T& value) {
    append(&value, sizeof value);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void put(const std::vector<T>& values) {
    put(std::uint64_t{values.size()});
    append(values.data(), values.size() * sizeof(T));
  }
  void put(const std::string& text) {
    put(std::uint64_t{text.size()});
    append(text.data(), text.size());
  }

  void put_bytes(std::span<const std::byte> bytes) { append(bytes.data(), bytes.size()); }

  std::vector<std::byte> take() && noexcept { return std::move(bytes_); }

  std::span<const std::byte> bytes() const noexcept { return bytes_; }
  /// Clears it for other values in the same memory.
  void clear() noexcept { bytes_.clear(); }

 private:
  void append(const void* from, std::size_t size) {
    if (size == 0) return;
    const std::size_t at = bytes_.size();
    bytes_.resize(at + size);
    std::memcpy(bytes_.data() + at, from, size);
  }
  std::vector<std::byte> bytes_;
};

/// Reads what ByteWriter wrote, in the same order; InternalError if the bytes run out.
class ByteReader {
 public:
  explicit ByteReader(std::span<const std::byte> bytes) noexcept : bytes_(bytes) {}

  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(T& value) {
    extract(&value, sizeof value);
  }
  template <class T>
    requires std::is_trivially_copyable_v<T>
  void get(std::vector<T>& values) {
    values.resize(count(sizeof(T)));
    extract(values.data(), values.size() * sizeof(T));
  }
  void get(std::string& text) {
    text.resize(count(1));
    extract(text.data(), text.size());
  }
  template <class T>
  T get() {
    T value{};
    get(value);
    return value;
  }

  void get_bytes(std::span<std::byte> bytes) { extract(bytes.data(), bytes.size()); }

  bool empty() const noexcept { return bytes_.empty(); }

 private:
  std::size_t count(std::size_t size) {
    std::uint64_t n = 0;
    get(n);
    FG_CHECK(n <= bytes_.size() / size);
    return n;
  }
  void extract(void* to, std::size_t size) {
    FG_CHECK(size <= bytes_.size());
    if (size != 0) std::memcpy(to, bytes_.data(), size);
    bytes_ = bytes_.subspan(size);
  }
  std::span<const std::byte> bytes_;
};

}  // namespace fg
