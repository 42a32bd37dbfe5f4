// SPDX-License-Identifier: BSD-3-Clause
#include "app/json.hpp"

#include <fmt/format.h>

#include <cmath>

namespace fg::app {

std::string to_json(std::string_view text) {
  std::string json = "\"";
  for (const char letter : text) {
    switch (letter) {
      case '"':
      case '\\':
        json += '\\';
        json += letter;
        break;
      case '\n':
        json += "\\n";
        break;
      case '\t':
        json += "\\t";
        break;
      default:
        if (static_cast<unsigned char>(letter) < 0x20)
          json += fmt::format("\\u{:04x}", static_cast<int>(letter));
        else
          json += letter;
    }
  }
  return json + "\"";
}

std::string to_json(double number) {
  if (!std::isfinite(number)) return "null";
  // The shortest text that is read back as the same bits; with a point, so that it stays a double.
  std::string json = fmt::format("{}", number);
  if (json.find_first_of(".e") == std::string::npos) json += ".0";
  return json;
}

std::string json_list(const std::vector<std::string>& values) {
  return fmt::format("[{}]", fmt::join(values, ","));
}

JsonObject& JsonObject::add_json(std::string_view key, std::string_view json) {
  if (text_.size() > 1) text_ += ',';
  text_ += to_json(key);
  text_ += ':';
  text_ += json;
  return *this;
}

}  // namespace fg::app
