// SPDX-License-Identifier: BSD-3-Clause
#include "fft/exchange_memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include "base/json_reader.hpp"

namespace fg::fft {

namespace {

using Kind = JsonValue::Kind;
using Entry = std::pair<std::string, ExchangeChoice>;
constexpr std::size_t most_entries = 500;
constexpr const char* what =
    "how finegrain exchanges numbers in transforms; delete this file to measure again";

struct Contents {
  std::vector<Entry> entries;
  std::string trouble;
};

std::optional<int> as_part(const JsonValue& value) {
  const bool fits = value.kind == Kind::number && value.number >= 1 && value.number <= 1 << 30;
  if (!fits || value.number != static_cast<int>(value.number)) return std::nullopt;
  return static_cast<int>(value.number);
}

std::optional<ExchangeChoice> as_choice(const JsonValue& value) {
  ExchangeChoice choice;
  const JsonValue *travel = value.find("travel"), *parts = value.find("parts"),
                  *times = value.find("microseconds");
  if (travel == nullptr || parts == nullptr || times == nullptr || parts->list.size() != 2)
    return std::nullopt;
  if (travel->text != "messages" && travel->text != "collective") return std::nullopt;
  const auto a = as_part(parts->list[0]), b = as_part(parts->list[1]);
  if (!a || !b) return std::nullopt;
  choice.travel = travel->text;
  choice.parts = {*a, *b};
  for (const auto& [name, time] : times->object)
    choice.microseconds.emplace_back(name, time.number);
  return choice;
}

Contents read(const std::filesystem::path& file) {
  Contents contents;
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return contents;
  const auto no_use = [&](const char* why) {
    return Contents{{}, file.string() + " " + why + "; it is ignored: delete it or move it away"};
  };
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return no_use("cannot be read");
  const auto value = read_json(text);
  if (!value) return no_use("is damaged");
  const JsonValue *format = value->find("format"), *choices = value->find("choices");
  if (format == nullptr || format->number != 1 || choices == nullptr ||
      choices->kind != Kind::object)
    return no_use("is not a file of this version");
  for (const auto& [key, entry] : choices->object) {
    auto choice = as_choice(entry);
    if (!choice) return no_use("is damaged");
    contents.entries.emplace_back(key, std::move(*choice));
  }
  return contents;
}

std::string quoted(const std::string& text) {
  constexpr const char* digits = "0123456789abcdef";
  std::string result = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20) {
      result += "\\u00";
      result += digits[code >> 4];
      result += digits[code & 15];
      continue;
    }
    if (c == '"' || c == '\\') result += '\\';
    result += c;
  }
  result += '"';
  return result;
}

std::string as_json(const std::vector<Entry>& entries) {
  std::ostringstream text;
  text << "{\n \"what\": " << quoted(what) << ",\n \"format\": 1,\n \"choices\": {";
  const char* between = "\n";
  for (const auto& [key, choice] : entries) {
    text << between << "  " << quoted(key) << ": {\n   \"travel\": " << quoted(choice.travel)
         << ",\n   \"parts\": [" << choice.parts[0] << ", " << choice.parts[1]
         << "],\n   \"microseconds\": {";
    const char* comma = "";
    for (const auto& [name, time] : choice.microseconds) {
      text << comma << quoted(name) << ": " << time;
      comma = ", ";
    }
    text << "}\n  }";
    between = ",\n";
  }
  text << "\n }\n}\n";
  return text.str();
}

}  // namespace

std::filesystem::path exchange_file() {
  const auto variable = [](const char* name) -> std::filesystem::path {
    const char* const value = std::getenv(name);  // NOLINT(concurrency-mt-unsafe)
    return value == nullptr ? "" : value;
  };
  std::filesystem::path cache = variable("XDG_CACHE_HOME");
  if (!cache.is_absolute()) {  // the standard says to ignore others
    cache = variable("HOME");
    if (!cache.is_absolute()) return {};
    cache /= ".cache";
  }
  return cache / "finegrain" / "transforms.json";
}

Recollection recall_exchange(const std::filesystem::path& file, const std::string& key) {
  Contents contents = read(file);
  for (auto& [name, choice] : contents.entries)
    if (name == key) return {std::move(choice), {}};
  return {std::nullopt, std::move(contents.trouble)};
}

std::string remember_exchange(const std::filesystem::path& file, const std::string& key,
                              const ExchangeChoice& choice) {
  if (file.empty()) return {};
  Contents contents = read(file);
  if (!contents.trouble.empty()) return contents.trouble;
  auto& entries = contents.entries;
  std::erase_if(entries, [&](const Entry& entry) { return entry.first == key; });
  entries.emplace_back(key, choice);
  if (entries.size() > most_entries)
    entries.erase(entries.begin(), entries.end() - static_cast<std::ptrdiff_t>(most_entries));
  std::error_code error;
  std::filesystem::create_directories(file.parent_path(), error);
  std::filesystem::path draft = file;
  draft += '.';
  draft += std::to_string(getpid());
  std::ofstream stream(draft, std::ios::binary);
  stream << as_json(entries);
  stream.close();
  if (stream) std::filesystem::rename(draft, file, error);
  if (stream && !error) return {};
  std::filesystem::remove(draft, error);
  return file.string() + " cannot be written; ways to exchange are measured each time";
}

}  // namespace fg::fft
