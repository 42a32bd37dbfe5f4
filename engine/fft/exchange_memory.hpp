// SPDX-License-Identifier: BSD-3-Clause
//
// The file in which measured ways to exchange numbers are remembered: JSON that a user can read and
// delete. A file that is damaged or not ours is left alone.
#pragma once

#include <array>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace fg::fft {

struct ExchangeChoice {
  std::string travel;  // "messages" or "collective"
  std::array<int, 2> parts{};
  std::vector<std::pair<std::string, double>> microseconds;  // of each way that was tried
};

/// $XDG_CACHE_HOME/finegrain/transforms.json, with ~/.cache if that is not set; empty if there is
/// no home folder either.
std::filesystem::path exchange_file();

struct Recollection {
  std::optional<ExchangeChoice> choice;
  std::string trouble;  // why the file is of no use; empty if it is good or not there
};

/// What is remembered for a key.
Recollection recall_exchange(const std::filesystem::path& file, const std::string& key);

/// Adds a choice to the file, which changes at once or not at all. If there are more than 500 the
/// oldest are dropped. Returns why that was not possible, or nothing.
std::string remember_exchange(const std::filesystem::path& file, const std::string& key,
                              const ExchangeChoice& choice);

}  // namespace fg::fft
