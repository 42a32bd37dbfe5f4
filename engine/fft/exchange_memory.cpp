// SPDX-License-Identifier: BSD-3-Clause
#include "fft/exchange_memory.hpp"

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

namespace fg::fft {

namespace {

using Json = nlohmann::ordered_json;  // the oldest entry first
using Entry = std::pair<std::string, ExchangeChoice>;
constexpr std::size_t most_entries = 500;
constexpr int format = 1;
constexpr const char* what =
    "how finegrain exchanges numbers in transforms; delete this file to measure again";

struct Contents {
  std::vector<Entry> entries;
  std::string trouble;
};

/// Throws an exception of the library if something is missing or of another type.
std::optional<ExchangeChoice> as_choice(const Json& value) {
  ExchangeChoice choice{value.at("travel").get<std::string>(), {}, {}};
  if (choice.travel != "messages" && choice.travel != "collective") return std::nullopt;
  const Json& parts = value.at("parts");
  if (parts.size() != 2) return std::nullopt;
  for (std::size_t k = 0; k < 2; ++k) {
    const Json& part = parts.at(k);
    if (!part.is_number_integer() || part.get<std::int64_t>() < 1 ||
        part.get<std::int64_t>() > 1 << 30)
      return std::nullopt;
    choice.parts[k] = part.get<int>();
  }
  for (const auto& [name, time] : value.at("microseconds").items())
    choice.microseconds.emplace_back(name, time.get<double>());
  return choice;
}

std::optional<std::vector<Entry>> as_entries(const Json& file) {
  std::vector<Entry> entries;
  if (!file.at("choices").is_object()) return std::nullopt;
  for (const auto& [key, value] : file.at("choices").items()) {
    auto choice = as_choice(value);
    if (!choice) return std::nullopt;
    entries.emplace_back(key, std::move(*choice));
  }
  return entries;
}

Contents read(const std::filesystem::path& file) {
  std::error_code error;
  if (!std::filesystem::exists(file, error)) return {};
  const auto no_use = [&](const char* why) {
    return Contents{{}, file.string() + " " + why + "; it is ignored: delete it or move it away"};
  };
  std::ifstream stream(file, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(stream), {}};
  if (!stream) return no_use("cannot be read");
  try {
    const Json value = Json::parse(text);
    if (value.at("format") != format) return no_use("is not a file of this version");
    if (auto entries = as_entries(value)) return {std::move(*entries), {}};
    return no_use("is damaged");
  } catch (const Json::exception&) {
    return no_use("is damaged");
  }
}

std::string as_json(const std::vector<Entry>& entries) {
  Json choices = Json::object();
  for (const auto& [key, choice] : entries) {
    Json times = Json::object();
    for (const auto& [name, time] : choice.microseconds) times[name] = time;
    choices[key] = {
        {"travel", choice.travel}, {"parts", choice.parts}, {"microseconds", std::move(times)}};
  }
  const Json file = {{"what", what}, {"format", format}, {"choices", std::move(choices)}};
  return file.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
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
