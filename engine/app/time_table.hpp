// SPDX-License-Identifier: BSD-3-Clause
//
// Where the time of a run went, in a reader's words.
#pragma once

#include <vector>

#include "app/simulation.hpp"
#include "runtime/profile.hpp"

namespace fg::app {

/// Entries under the names of what they do, longest first, then scheduling, messaging and idling.
std::vector<PhaseTime> time_table(const Profile& profile);

/// Scheduling and messaging over everything but idling; 0 when not measured.
double overhead_share(const Profile& profile) noexcept;
double idle_share(const Profile& profile) noexcept;

}  // namespace fg::app
