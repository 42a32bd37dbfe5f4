// SPDX-License-Identifier: BSD-3-Clause
//
// The time table of a run, with names for the reader.
#pragma once

#include <vector>

#include "records/run_result.hpp"
#include "runtime/profile.hpp"

namespace fg::classical {

/// Entries by what they do, longest first, then scheduling, messaging and idle time.
std::vector<PhaseTime> time_table(const Profile& profile);

/// Scheduling and messaging divided by all time except idle; 0 if not measured.
double overhead_share(const Profile& profile) noexcept;
double idle_share(const Profile& profile) noexcept;

}  // namespace fg::classical
