// SPDX-License-Identifier: BSD-3-Clause
#include "base/visible.hpp"

namespace fg {

namespace {

/// Length of the character at the front of `text` if it must not reach a terminal; otherwise 0.
std::size_t hidden_length(std::string_view text) {
  const auto byte = [&](std::size_t i) {
    return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U;
  };
  if (byte(0) < 0x20) return byte(0) == '\n' ? 0 : 1;
  if (byte(0) == 0x7f) return 1;
  if (byte(0) == 0xc2 && byte(1) >= 0x80 && byte(1) < 0xa0) return 2;  // control codes above ASCII
  if (byte(0) != 0xe2) return 0;
  const bool marks = byte(1) == 0x80 &&
                     ((byte(2) >= 0x8b && byte(2) <= 0x8f) || (byte(2) >= 0xa8 && byte(2) <= 0xae));
  const bool isolates = byte(1) == 0x81 && byte(2) >= 0xa0 && byte(2) <= 0xaf;
  return marks || isolates ? 3 : 0;
}

}  // namespace

std::string visible(std::string_view text) {
  constexpr std::string_view digits = "0123456789abcdef";
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const std::size_t hidden = hidden_length(text);
    if (hidden == 0) shown += text.front();
    for (const char letter : text.substr(0, hidden)) {
      const auto byte = static_cast<unsigned char>(letter);
      shown += "\\x";
      shown += digits[byte / 16];
      shown += digits[byte % 16];
    }
    text.remove_prefix(hidden == 0 ? 1 : hidden);
  }
  return shown;
}

}  // namespace fg
