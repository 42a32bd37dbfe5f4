// SPDX-License-Identifier: BSD-3-Clause
#include "base/json_reader.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace fg {

namespace {

using Kind = JsonValue::Kind;
constexpr int deepest = 64;

/// UTF-8 of a code point below 0x10000.
std::string as_utf8(unsigned code) {
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800)
    return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
  return {static_cast<char>(0xE0 | (code >> 12)), static_cast<char>(0x80 | ((code >> 6) & 0x3F)),
          static_cast<char>(0x80 | (code & 0x3F))};
}

class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  bool whole(JsonValue& value) {
    if (!read(value, 0)) return false;
    skip_space();
    return rest_.empty();
  }

 private:
  bool read(JsonValue& value, int depth) {
    if (depth > deepest) return false;
    skip_space();
    if (take("null")) return true;
    if (take("true") || take("false")) {
      value.kind = Kind::boolean;
      value.boolean = taken_ == "true";
      return true;
    }
    if (take("{")) return read_object(value, depth);
    if (take("[")) return read_list(value, depth);
    if (rest_.starts_with('"')) {
      value.kind = Kind::text;
      return read_text(value.text);
    }
    return read_number(value);
  }

  bool read_object(JsonValue& value, int depth) {
    value.kind = Kind::object;
    if (take_after_space("}")) return true;
    do {
      skip_space();
      auto& [key, member] = value.object.emplace_back();
      if (!read_text(key) || !take_after_space(":") || !read(member, depth + 1)) return false;
    } while (take_after_space(","));
    return take_after_space("}");
  }

  bool read_list(JsonValue& value, int depth) {
    value.kind = Kind::list;
    if (take_after_space("]")) return true;
    do {
      if (!read(value.list.emplace_back(), depth + 1)) return false;
    } while (take_after_space(","));
    return take_after_space("]");
  }

  bool read_text(std::string& text) {
    if (!take("\"")) return false;
    while (!rest_.empty()) {
      const char c = rest_.front();
      rest_.remove_prefix(1);
      if (c == '"') return true;
      if (static_cast<unsigned char>(c) < 0x20) return false;
      if (c != '\\')
        text += c;
      else if (!read_escape(text))
        return false;
    }
    return false;
  }

  bool read_escape(std::string& text) {
    constexpr std::string_view names = "\"\\/bfnrt", meanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const char c = rest_.front();
    rest_.remove_prefix(1);
    if (const auto at = names.find(c); at != std::string_view::npos) {
      text += meanings[at];
      return true;
    }
    unsigned code = 0;
    if (c != 'u' || rest_.size() < 4) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, code, 16);
    if (error != std::errc{} || end != rest_.data() + 4) return false;
    rest_.remove_prefix(4);
    text += as_utf8(code);
    return true;
  }

  bool read_number(JsonValue& value) {
    const std::string_view digits = rest_.starts_with('-') ? rest_.substr(1) : rest_;
    if (digits.empty() || digits.front() < '0' || digits.front() > '9') return false;
    value.kind = Kind::number;
    const auto [end, error] =
        std::from_chars(rest_.data(), rest_.data() + rest_.size(), value.number);
    if (error != std::errc{} || !std::isfinite(value.number)) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  void skip_space() {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(" \t\r\n"), rest_.size()));
  }
  bool take(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    taken_ = word;
    rest_.remove_prefix(word.size());
    return true;
  }
  bool take_after_space(std::string_view word) {
    skip_space();
    return take(word);
  }

  std::string_view rest_, taken_;
};

}  // namespace

const JsonValue* JsonValue::find(std::string_view key) const noexcept {
  const auto at =
      std::find_if(object.begin(), object.end(), [&](const auto& m) { return m.first == key; });
  return at == object.end() ? nullptr : &at->second;
}

std::optional<JsonValue> read_json(std::string_view text) {
  JsonValue value;
  if (!Reader(text).whole(value)) return std::nullopt;
  return value;
}

}  // namespace fg
