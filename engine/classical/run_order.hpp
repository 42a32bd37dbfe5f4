// SPDX-License-Identifier: BSD-3-Clause
//
// The order of process 0 to the others: run these steps. The atoms come later, to each process
// those of its patches (atom_shares.hpp).
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "classical/job/schedule.hpp"
#include "motion/bath_state.hpp"
#include "motion/integrator.hpp"

namespace fg::classical {

struct RunOrder {
  Schedule schedule;
  std::int64_t step = 0;
  VelocityStage stage = VelocityStage::full;
  BathState bath;
};

std::vector<std::byte> to_bytes(const RunOrder& order);
RunOrder run_order_from_bytes(std::span<const std::byte> bytes);

}  // namespace fg::classical
