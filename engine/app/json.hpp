// SPDX-License-Identifier: BSD-3-Clause
//
// JSON on one line, for programs that read the engine's output. Numbers that are not finite become
// null, because JSON has no such values; numbers keep all their bits. Bytes beyond ASCII are copied
// unchanged, so a text is UTF-8 if the file names of the system are.
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace fg::app {

std::string to_json(std::string_view text);
std::string to_json(double number);
std::string to_json(std::same_as<bool> auto flag) {
  return flag ? "true" : "false";
}
template <std::integral Number>
  requires(!std::same_as<Number, bool>)
std::string to_json(Number number) {
  return std::to_string(number);
}

/// A list of values that are JSON already.
std::string json_list(const std::vector<std::string>& values);

template <class Range>
std::string to_json_list(const Range& range) {
  std::vector<std::string> values;
  values.reserve(range.size());
  for (const auto& value : range) values.push_back(to_json(value));
  return json_list(values);
}

/// Keys are in the order in which they are added.
class JsonObject {
 public:
  template <class Value>
  JsonObject& add(std::string_view key, const Value& value) {
    return add_json(key, to_json(value));
  }
  JsonObject& add_json(std::string_view key, std::string_view json);
  std::string text() const { return text_ + "}"; }

 private:
  std::string text_ = "{";
};

}  // namespace fg::app
