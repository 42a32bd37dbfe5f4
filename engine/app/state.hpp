// SPDX-License-Identifier: BSD-3-Clause
//
// All atoms at one moment, in the input's order: where a run starts and where it ends.
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <vector>

#include "app/atom_messages.hpp"
#include "app/checkpoint.hpp"
#include "app/system.hpp"

namespace fg::app {

struct State {
  std::int64_t step = 0;
  VelocityStage stage = VelocityStage::full;
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<Int3> image;
};

/// The job's positions and velocities as they are.
State state_of_job(const Job& job);

/// Made fit to move: constraints met, velocities drawn if the job says so, no net momentum if the
/// job removes it. Throws NumericsError, naming the atom, if the constraints cannot be met from
/// these positions.
void prepare_for_dynamics(const System& system, State& state);

/// The atoms of all fragments, fragment by fragment.
std::vector<AtomRecord> all_records(const System& system, const State& state);

State state_of_checkpoint(const Checkpoint& checkpoint);

}  // namespace fg::app
