// SPDX-License-Identifier: BSD-3-Clause
//
// Reads JSON (RFC 8259) into values. For small files; all of a text is in memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace fg {

/// Only the members of its kind are set.
struct JsonValue {
  enum class Kind { null, boolean, number, text, list, object };

  /// The value of a key of an object; nullptr if it is no object or has no such key.
  const JsonValue* find(std::string_view key) const noexcept;

  Kind kind = Kind::null;
  bool boolean = false;
  double number = 0;
  std::string text;
  std::vector<JsonValue> list;
  std::vector<std::pair<std::string, JsonValue>> object;  // in the order of the text
};

/// Nothing if the text is not one JSON value, or is nested more than 64 deep.
std::optional<JsonValue> read_json(std::string_view text);

}  // namespace fg
