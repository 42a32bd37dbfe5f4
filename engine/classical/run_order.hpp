// SPDX-License-Identifier: BSD-3-Clause
//
// The order of process 0 to the others: run these steps from this state.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "classical/job/schedule.hpp"
#include "classical/state.hpp"

namespace fg::classical {

struct RunOrder {
  Schedule schedule;
  State state;
};

std::vector<std::byte> to_bytes(const RunOrder& order);
RunOrder run_order_from_bytes(std::span<const std::byte> bytes);

}  // namespace fg::classical
