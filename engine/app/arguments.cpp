// SPDX-License-Identifier: BSD-3-Clause
#include "app/arguments.hpp"

#include <fmt/format.h>

#include <charconv>
#include <functional>
#include <system_error>
#include <type_traits>

#include "base/error.hpp"

namespace fg::app {

namespace {

using Next = std::function<std::string_view()>;

template <NumberValue Value>
Value parse_number(std::string_view word, std::string_view text) {
  Value value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    throw InputError({.what = std::integral<Value> ? "not a whole number" : "not a number",
                      .where = "command line",
                      .value = fmt::format("{} {}", word, text)});
  return value;
}

/// Sets the option of this word; false if there is none.
template <class Options>
bool take(Options& options, std::string_view word, const Next& next) {
  bool taken = false;
  for_each_option<Options>([&]<class Value>(const Option<Options, Value>& option) {
    if (option.word != word) return;
    taken = true;
    Value& value = options.*option.member;
    if constexpr (std::same_as<Value, bool>) {
      value = !(Options{}.*option.member);
    } else if constexpr (std::same_as<Value, std::string>) {
      value = next();
    } else {
      using Wide = std::conditional_t<std::same_as<Value, double>, double, std::int64_t>;
      const auto number = parse_number<Wide>(word, next());
      require_within(option, number);
      value = static_cast<Value>(number);
    }
  });
  return taken;
}

/// The default, where it is a value that may be given.
template <class Options, class Value>
std::string shown_default(const Option<Options, Value>& option) {
  const Value value = Options{}.*option.member;
  if constexpr (std::same_as<Value, std::string>)
    return value.empty() ? "" : fmt::format(" ({})", value);
  else if constexpr (NumberValue<Value>)
    return value < 0 || static_cast<double>(value) < option.least ? ""
                                                                  : fmt::format(" ({})", value);
  else
    return "";
}

template <class Options>
std::string option_lines() {
  std::string lines;
  for_each_option<Options>([&](const auto& option) {
    const std::string head = fmt::format("{} {}", option.word, option.value);
    lines += fmt::format("  {:<28} {}{}\n", head, option.help, shown_default(option));
  });
  return lines;
}

void require_sense(const Arguments& arguments) {
  if (arguments.help || arguments.version) return;
  if (arguments.run.job.empty())
    throw InputError(
        {.what = "no job file",
         .where = "command line",
         .hint = "give the path of a job; `finegrain run` leaves one in the folder of the run"});
  if (!arguments.energy && arguments.run.out.empty())
    throw InputError(
        {.what = "no folder for the results", .where = "command line", .hint = "add --out DIR"});
}

}  // namespace

std::string usage() {
  return "usage: finegrain-engine JOB.h5 --out DIR [options]\n"
         "       finegrain-engine JOB.h5 --energy [--pes N] [--forces FILE]\n"
         "       finegrain-engine --version\n"
         "\n" +
         option_lines<RunOptions>() + option_lines<Arguments>();
}

Arguments parse(const std::vector<std::string_view>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); ++i) {
    const std::string_view word = words[i] == "-h" ? "--help" : words[i];
    const Next next = [&] {
      if (i + 1 == words.size())
        throw InputError({.what = "the option needs a value",
                          .where = "command line",
                          .value = std::string(word)});
      return words[++i];
    };
    if (take(arguments.run, word, next) || take(arguments, word, next)) continue;
    if (!word.starts_with("-") && arguments.run.job.empty())
      arguments.run.job = word;
    else
      throw InputError({.what = "unknown argument",
                        .where = "command line",
                        .value = std::string(word),
                        .hint = "finegrain-engine --help lists the options"});
  }
  require_sense(arguments);
  return arguments;
}

}  // namespace fg::app
