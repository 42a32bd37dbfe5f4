// SPDX-License-Identifier: BSD-3-Clause
//
// What patches keep in memory, and how it becomes checkpoint.h5. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>

#include "motion/bath_state.hpp"
#include "processes/memory_rescue.hpp"
#include "records/checkpoints/atom_record.hpp"
#include "records/job/job.hpp"
#include "records/options/run_options.hpp"

namespace fg::classical {

/// What one patch knows of the baths. This is their state without the heat of this run, and its own
/// share of that heat. A record of a patch is this, and then AtomRecord [atoms].
struct KeptBath {
  BathState state;
  std::int64_t heat = 0;
};
static_assert(sizeof(KeptBath) % alignof(AtomRecord) == 0);

/// Both have to outlive it.
std::unique_ptr<MemoryRescue> make_memory_rescue(const RunOptions& options, const Job& job);

}  // namespace fg::classical
