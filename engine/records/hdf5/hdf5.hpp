// SPDX-License-Identifier: BSD-3-Clause
//
// HDF5's C interface with handles that close themselves and failures that name file and object.
// The library keeps global state and is not built for threads on Debian: hold a Lock while calling.
#pragma once

#include <hdf5.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "base/error.hpp"

namespace fg::h5 {

/// Serialises calls into the library. At first use it stops the library from printing its error
/// stack. It also stops it from closing files at exit, which never ends when a disk is full.
class Lock {
 public:
  Lock();

 private:
  std::unique_lock<std::recursive_mutex> lock_;
};

class Handle {
 public:
  using Close = herr_t (*)(hid_t);
  Handle() = default;
  Handle(hid_t id, Close close) : id_(id), close_(close) {}
  Handle(Handle&& other) noexcept
      : id_(std::exchange(other.id_, -1)), close_(std::exchange(other.close_, nullptr)) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() {
    if (id_ >= 0 && close_ != nullptr) close_(id_);
  }

  explicit operator bool() const noexcept { return id_ >= 0; }
  hid_t get() const noexcept { return id_; }
  /// Leaves the object open: closing a file after a failed write only fails again.
  void abandon() noexcept { close_ = nullptr; }

 private:
  hid_t id_ = -1;
  Close close_ = nullptr;
};

inline Handle file(hid_t id) {
  return {id, H5Fclose};
}
inline Handle group(hid_t id) {
  return {id, H5Gclose};
}
inline Handle dataset(hid_t id) {
  return {id, H5Dclose};
}
inline Handle space(hid_t id) {
  return {id, H5Sclose};
}
inline Handle type(hid_t id) {
  return {id, H5Tclose};
}
inline Handle attribute(hid_t id) {
  return {id, H5Aclose};
}
inline Handle properties(hid_t id) {
  return {id, H5Pclose};
}

template <class T>
hid_t native();
template <>
inline hid_t native<double>() {
  return H5T_NATIVE_DOUBLE;
}
template <>
inline hid_t native<float>() {
  return H5T_NATIVE_FLOAT;
}
template <>
inline hid_t native<std::int32_t>() {
  return H5T_NATIVE_INT32;
}
template <>
inline hid_t native<std::int64_t>() {
  return H5T_NATIVE_INT64;
}
template <>
inline hid_t native<std::uint64_t>() {
  return H5T_NATIVE_UINT64;
}

using Shape = std::vector<hsize_t>;

class TextHeaps;

/// Reads objects of one file; a failure is an InputError that names the file and the object.
class Reader {
 public:
  /// Opens a file on disk.
  explicit Reader(std::string path);
  /// Opens the bytes of a file; `path` is only used in messages.
  Reader(std::string path, std::span<const std::byte> image);
  /// A file that is open already.
  Reader(std::string path, Handle file);

  bool has(const std::string& object) const;
  bool has_attribute(const std::string& object, const std::string& name) const;
  Handle open(const std::string& table) const;

  /// A dataset whose shape beyond the first dimension is `inner` (empty for a plain list; 0: any).
  template <class T>
  std::vector<T> array(const std::string& object, const Shape& inner = {}) const {
    std::vector<T> values;
    const Handle data = open_dataset(object, inner);
    values.resize(element_count(data, object));
    read_into(data, native<T>(), values.data(), object);
    return values;
  }
  std::vector<std::string> strings(const std::string& object) const;

  template <class T>
  T number(const std::string& object, const std::string& name) const {
    T value{};
    read_attribute(object, name, native<T>(), &value, 1);
    return value;
  }
  template <class T>
  void numbers(const std::string& object, const std::string& name, std::span<T> values) const {
    read_attribute(object, name, native<T>(), values.data(), values.size());
  }
  std::string text(const std::string& object, const std::string& name) const;

  const std::string& path() const noexcept { return path_; }
  [[noreturn]] void fail(const std::string& what, const std::string& object) const;

 private:
  void require_readable();
  Handle open_dataset(const std::string& object, const Shape& inner) const;
  std::size_t element_count(const Handle& data, const std::string& object) const;
  void read_into(const Handle& data, hid_t memory_type, void* values,
                 const std::string& object) const;
  void read_attribute(const std::string& object, const std::string& name, hid_t memory_type,
                      void* values, std::size_t count) const;

  Lock lock_;
  std::string path_;
  Handle file_;
  std::shared_ptr<TextHeaps> heaps_;
};

/// The bytes of a new file; `write` fills its root. `path` is only used in messages.
std::vector<std::byte> image_of_file(const std::string& path,
                                     const std::function<void(hid_t root)>& write);

/// The library did not write, and the system knows of no reason: what the file says of itself is
/// damaged.
class WriteRefused : public ResourceError {
 public:
  using ResourceError::ResourceError;
};

/// Throws when a call of the library failed; `path` is the file that could not be written.
void check_write(bool good, const std::string& path);

/// UTF-8, variable length.
Handle string_type();

void write_text(hid_t object, const char* name, const std::string& text, const std::string& path);
void write_texts(hid_t group, const char* name, std::span<const std::string> texts,
                 const std::string& path);

template <class T>
void write_number(hid_t object, const char* name, std::span<const T> values,
                  const std::string& path) {
  const hsize_t count = values.size();
  const Handle shape =
      space(count == 1 ? H5Screate(H5S_SCALAR) : H5Screate_simple(1, &count, nullptr));
  const Handle made =
      attribute(H5Acreate2(object, name, native<T>(), shape.get(), H5P_DEFAULT, H5P_DEFAULT));
  check_write(made && H5Awrite(made.get(), native<T>(), values.data()) >= 0, path);
}
template <class T>
void write_number(hid_t object, const char* name, T value, const std::string& path) {
  write_number<T>(object, name, std::span<const T>(&value, 1), path);
}

/// A dataset of fixed shape; returned open, for its attributes.
template <class T>
Handle write_array(hid_t group, const char* name, const T* values, const Shape& shape,
                   const std::string& path) {
  const Handle extent =
      space(H5Screate_simple(static_cast<int>(shape.size()), shape.data(), nullptr));
  Handle made = dataset(
      H5Dcreate2(group, name, native<T>(), extent.get(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  check_write(made && H5Dwrite(made.get(), native<T>(), H5S_ALL, H5S_ALL, H5P_DEFAULT, values) >= 0,
              path);
  return made;
}

}  // namespace fg::h5
