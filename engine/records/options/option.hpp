// SPDX-License-Identifier: BSD-3-Clause
//
// The description of an option that a command line or Python gives.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <string_view>
#include <tuple>

#include "base/error.hpp"

namespace fg {

/// A flag (bool), a whole number, a number (double) or a text.
template <class T>
concept OptionValue =
    std::same_as<T, bool> || std::same_as<T, int> || std::same_as<T, std::int64_t> ||
    std::same_as<T, double> || std::same_as<T, std::string>;

/// An option of a struct whose initial values are the defaults.
template <class Options, OptionValue Value>
struct Option {
  std::string_view word;   // on the command line; a flag takes no value and inverts the default
  std::string_view value;  // what stands for the value in the help
  Value Options::*member;
  std::string_view help;
  std::string_view name = "";                            // in Python; empty: it has none
  double least = std::numeric_limits<double>::lowest();  // of a number that is given
  double most = std::numeric_limits<double>::max();
};

template <class T>
concept NumberValue = OptionValue<T> && !std::same_as<T, bool> && !std::same_as<T, std::string>;

/// Refuses a number beyond the limits of its option.
template <class Options, NumberValue Value>
void require_within(const Option<Options, Value>& option, NumberValue auto value) {
  const auto number = static_cast<double>(value);
  if (number >= option.least && number <= option.most) return;  // false for NaN
  const auto text = [](double any) {
    char digits[32];
    std::snprintf(digits, sizeof digits, "%.16g", any);
    return std::string(digits);
  };
  throw InputError({.what = "is out of range: " + std::string(option.help),
                    .where = std::string(option.word),
                    .value = text(number),
                    .limit = text(option.least) + " to " + text(option.most)});
}

/// Calls visit(option) for each option.
template <class Options, class Visit>
constexpr void for_each_option(const Visit& visit) {
  std::apply([&](const auto&... options) { (visit(options), ...); }, Options::options());
}

}  // namespace fg
