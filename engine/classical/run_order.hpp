// SPDX-License-Identifier: BSD-3-Clause
//
// The order of process 0 to the others: run these steps from this state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "classical/schedule.hpp"
#include "classical/state.hpp"
#include "runtime/profile.hpp"

namespace fg::classical {

struct RunOrder {
  Schedule schedule;
  State state;
};

std::vector<std::byte> to_bytes(const RunOrder& order);
RunOrder run_order_from_bytes(std::span<const std::byte> bytes);

std::vector<std::byte> to_bytes(const Profile& profile);
/// Adds the later profile of the same PEs.
void add_stretch(Profile& sum, const Profile& later);
/// Adds the profile of the same PEs with other objects.
void add_objects(Profile& sum, const Profile& later);
/// Adds another process's profile, item by item.
void add_profile(Profile& sum, std::span<const std::byte> bytes);

}  // namespace fg::classical
