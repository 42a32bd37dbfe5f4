// SPDX-License-Identifier: BSD-3-Clause
#include "runs/time_table.hpp"

#include <algorithm>
#include <map>
#include <string>

namespace fg {

namespace {

std::string in_words(const std::string& entry, std::span<const EntryWording> wordings) {
  for (const auto& wording : wordings)
    if (entry.find(wording.part) != std::string::npos) return std::string(wording.name);
  return entry;
}

struct Sums {
  double busy = 0, idle = 0, scheduling = 0, sending = 0;
  std::uint64_t messages = 0;
};

Sums sums_of(const Profile& profile) noexcept {
  Sums sums;
  for (const auto& pe : profile.pes) {
    sums.busy += pe.busy;
    sums.idle += pe.idle;
    sums.scheduling += pe.scheduling;
    sums.sending += pe.sending;
    sums.messages += pe.processed;
  }
  return sums;
}

}  // namespace

std::vector<PhaseTime> time_table(const Profile& profile, std::span<const EntryWording> wordings) {
  const Sums sums = sums_of(profile);
  std::map<std::string, PhaseTime> phases;
  for (const auto& entry : profile.entries) {
    auto& phase = phases[in_words(entry.name, wordings)];
    phase.seconds += entry.seconds;
    phase.calls += static_cast<std::int64_t>(entry.count);
  }
  std::vector<PhaseTime> table;
  for (auto& [name, phase] : phases) {
    phase.name = name;
    table.push_back(phase);
  }
  std::sort(table.begin(), table.end(),
            [](const PhaseTime& a, const PhaseTime& b) { return a.seconds > b.seconds; });
  const auto messages = static_cast<std::int64_t>(sums.messages);
  table.push_back({.name = "scheduling", .seconds = sums.scheduling, .calls = messages});
  table.push_back({.name = "sending messages", .seconds = sums.sending, .calls = messages});
  table.push_back({.name = "idle", .seconds = sums.idle});

  double whole = 0;
  for (const auto& phase : table) whole += phase.seconds;
  for (auto& phase : table) phase.share = whole > 0 ? phase.seconds / whole : 0;
  return table;
}

std::vector<PhaseTime> parts_table(const Profile& profile) {
  const Sums sums = sums_of(profile);
  const double whole = sums.busy + sums.scheduling + sums.sending + sums.idle;
  std::vector<PhaseTime> table;
  for (const auto& part : profile.phases)
    if (part.count > 0)
      table.push_back({.name = part.name,
                       .seconds = part.seconds,
                       .calls = static_cast<std::int64_t>(part.count),
                       .share = whole > 0 ? part.seconds / whole : 0});
  std::stable_sort(table.begin(), table.end(),
                   [](const PhaseTime& a, const PhaseTime& b) { return a.seconds > b.seconds; });
  return table;
}

double overhead_share(const Profile& profile) noexcept {
  const Sums sums = sums_of(profile);
  const double working = sums.busy + sums.scheduling + sums.sending;
  return working > 0 ? (sums.scheduling + sums.sending) / working : 0;
}

double idle_share(const Profile& profile) noexcept {
  const Sums sums = sums_of(profile);
  const double all = sums.busy + sums.scheduling + sums.sending + sums.idle;
  return all > 0 ? sums.idle / all : 0;
}

double load_imbalance(const Profile& profile) noexcept {
  double sum = 0, most = 0;
  for (const Profile::PerPe& pe : profile.pes) {
    sum += pe.busy;
    most = std::max(most, pe.busy);
  }
  return sum > 0 ? most * static_cast<double>(profile.pes.size()) / sum : not_measured;
}

}  // namespace fg
