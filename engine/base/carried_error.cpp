// SPDX-License-Identifier: BSD-3-Clause
#include "base/carried_error.hpp"

#include <new>
#include <utility>

#include "base/bytes.hpp"
#include "base/error.hpp"

namespace fg {

namespace {

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

std::vector<std::byte> error_to_bytes(const std::exception_ptr& error, const std::string& where) {
  auto [kind, parts] = parts_of(error);
  if (parts.where.empty()) parts.where = where;
  ByteWriter bytes;
  bytes.put(kind);
  for (const auto* text : {&parts.what, &parts.where, &parts.value, &parts.limit, &parts.hint})
    bytes.put(*text);
  return std::move(bytes).take();
}

std::exception_ptr error_from_bytes(std::span<const std::byte> all) {
  ByteReader bytes(all);
  const auto kind = bytes.get<ErrorKind>();
  ErrorParts parts;
  for (auto* text : {&parts.what, &parts.where, &parts.value, &parts.limit, &parts.hint})
    bytes.get(*text);
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
