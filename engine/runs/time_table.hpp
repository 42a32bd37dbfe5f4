// SPDX-License-Identifier: BSD-3-Clause
//
// The time table of a run, with names for the reader.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "records/options/run_result.hpp"
#include "runtime/profile.hpp"

namespace fg {

/// What an entry does, in the reader's words.
struct EntryWording {
  std::string_view part;  // of the entry's name
  std::string_view name;
};

/// Entries by what they do, longest first, then scheduling, messaging and idle time. The first
/// wording that fits an entry counts; one without any keeps its name.
std::vector<PhaseTime> time_table(const Profile& profile, std::span<const EntryWording> wordings);

/// Named parts of entries that took some time, longest first; shares of all time of the PEs.
std::vector<PhaseTime> parts_table(const Profile& profile);

/// Scheduling and messaging divided by all time except idle; 0 if not measured.
double overhead_share(const Profile& profile) noexcept;
double idle_share(const Profile& profile) noexcept;
/// The busy time of the busiest PE over the average; not_measured if there is none.
double load_imbalance(const Profile& profile) noexcept;

}  // namespace fg
