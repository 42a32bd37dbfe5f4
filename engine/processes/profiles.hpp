// SPDX-License-Identifier: BSD-3-Clause
//
// The profiles of several processes, or of several stretches of a run, as one.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "runtime/profile.hpp"
#include "transport/transport.hpp"

namespace fg {

std::vector<std::byte> to_bytes(const Profile& profile);
/// Adds the later profile of the same PEs.
void add_stretch(Profile& sum, const Profile& later);
/// Adds the profile of the same PEs with other objects.
void add_objects(Profile& sum, const Profile& later);
/// Adds another process's profile, item by item.
void add_profile(Profile& sum, std::span<const std::byte> bytes);
/// Called by all processes: those of the others are added in process 0. Without a transport there
/// are none.
void gather_profile(Transport* transport, Profile& profile);

}  // namespace fg
