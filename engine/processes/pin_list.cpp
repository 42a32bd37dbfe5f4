// SPDX-License-Identifier: BSD-3-Clause
#include "processes/pin_list.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <system_error>

#include "base/error.hpp"

namespace fg {

namespace {

constexpr int most_processors = 1 << 16;

/// Reads one number at the beginning of the text and takes it off; -1 if there is none.
int take_number(std::string_view& text) {
  int number = -1;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || number < 0 || number >= most_processors) return -1;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()));
  return number;
}

[[noreturn]] void refuse(const std::string& what, std::string_view pin) {
  throw InputError({.what = what,
                    .where = "--pin",
                    .value = std::string(pin),
                    .hint = "cores, none, or numbers and ranges such as 0-3,8"});
}

}  // namespace

std::vector<int> processors_of(std::string_view pin) {
  std::vector<int> processors;
  if (pin == "cores" || pin == "none") return processors;
  std::string_view rest = pin;
  do {
    if (!processors.empty()) rest.remove_prefix(1);  // the comma
    const int first = take_number(rest);
    int last = first;
    if (first >= 0 && rest.starts_with('-')) {
      rest.remove_prefix(1);
      last = take_number(rest);
    }
    if (first < 0 || last < first || (!rest.empty() && rest.front() != ','))
      refuse("the processors to bind threads to cannot be read", pin);
    for (int processor = first; processor <= last; ++processor) {
      if (std::ranges::find(processors, processor) != processors.end())
        refuse("processor " + std::to_string(processor) + " comes twice", pin);
      processors.push_back(processor);
    }
  } while (!rest.empty());
  return processors;
}

}  // namespace fg
