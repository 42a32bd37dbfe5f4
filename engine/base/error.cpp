// SPDX-License-Identifier: BSD-3-Clause
#include "base/error.hpp"

#include <utility>

namespace fg {

namespace {

std::string whole_message(const ErrorParts& parts) {
  std::string text;
  if (!parts.where.empty()) text += parts.where + ": ";
  text += parts.what;
  if (!parts.value.empty()) text += " (value " + parts.value + ")";
  if (!parts.limit.empty()) text += "; limit " + parts.limit;
  if (!parts.hint.empty()) text += "; " + parts.hint;
  return text;
}

}  // namespace

Error::Error(ErrorKind kind, ErrorParts parts)
    : std::runtime_error(whole_message(parts)), kind_(kind), parts_(std::move(parts)) {}

namespace detail {

void check_failed(const char* condition, const char* file, int line) {
  throw InternalError({.what = std::string("broken invariant: ") + condition,
                       .where = std::string(file) + ":" + std::to_string(line),
                       .hint = "this is a defect of finegrain: please report it with this line"});
}

}  // namespace detail

}  // namespace fg
