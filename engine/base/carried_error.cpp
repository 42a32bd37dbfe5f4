// SPDX-License-Identifier: BSD-3-Clause
#include "base/carried_error.hpp"

#include <cstdint>
#include <cstring>
#include <new>
#include <string>
#include <utility>

#include "base/error.hpp"

namespace fg {

namespace {

void put(std::vector<std::byte>& bytes, const std::string& text) {
  const std::uint64_t size = text.size();
  const std::size_t at = bytes.size();
  bytes.resize(at + sizeof size + text.size());
  std::memcpy(bytes.data() + at, &size, sizeof size);
  if (!text.empty()) std::memcpy(bytes.data() + at + sizeof size, text.data(), text.size());
}

std::string take(std::span<const std::byte>& bytes) {
  std::uint64_t size = 0;
  FG_CHECK(bytes.size() >= sizeof size);
  std::memcpy(&size, bytes.data(), sizeof size);
  bytes = bytes.subspan(sizeof size);
  FG_CHECK(size <= bytes.size());
  std::string text(reinterpret_cast<const char*>(bytes.data()), size);
  bytes = bytes.subspan(size);
  return text;
}

std::pair<ErrorKind, ErrorParts> parts_of(const std::exception_ptr& error) {
  try {
    std::rethrow_exception(error);
  } catch (const Error& known) {
    return {known.kind(), known.parts()};
  } catch (const std::bad_alloc&) {
    return {ErrorKind::resource, {.what = "not enough memory"}};
  } catch (const std::exception& other) {
    return {ErrorKind::internal, {.what = other.what()}};
  } catch (...) {
    return {ErrorKind::internal, {.what = "an exception of an unknown class"}};
  }
}

}  // namespace

std::vector<std::byte> error_to_bytes(const std::exception_ptr& error) {
  const auto [kind, parts] = parts_of(error);
  std::vector<std::byte> bytes{static_cast<std::byte>(kind)};
  for (const std::string* text :
       {&parts.what, &parts.where, &parts.value, &parts.limit, &parts.hint})
    put(bytes, *text);
  return bytes;
}

std::exception_ptr error_from_bytes(std::span<const std::byte> bytes) {
  FG_CHECK(!bytes.empty());
  const auto kind = static_cast<ErrorKind>(bytes.front());
  bytes = bytes.subspan(1);
  ErrorParts parts;
  for (std::string* text : {&parts.what, &parts.where, &parts.value, &parts.limit, &parts.hint})
    *text = take(bytes);
  switch (kind) {
    case ErrorKind::input:
      return std::make_exception_ptr(InputError(std::move(parts)));
    case ErrorKind::resource:
      return std::make_exception_ptr(ResourceError(std::move(parts)));
    case ErrorKind::numerics:
      return std::make_exception_ptr(NumericsError(std::move(parts)));
    case ErrorKind::internal:
      break;
  }
  return std::make_exception_ptr(InternalError(std::move(parts)));
}

}  // namespace fg
