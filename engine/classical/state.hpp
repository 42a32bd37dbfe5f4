// SPDX-License-Identifier: BSD-3-Clause
//
// All atoms at one time, in the input's order: the start and the end of a run. Units: Hartree
// atomic units.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "classical/atom_messages.hpp"
#include "classical/job/system.hpp"
#include "records/checkpoints/checkpoint.hpp"

namespace fg::classical {

struct State {
  std::int64_t step = 0;
  VelocityStage stage = VelocityStage::full;
  std::vector<Vec3> position;
  std::vector<Vec3> velocity;
  std::vector<Int3> image;
  BathState bath;
};

/// The job's positions and velocities, unchanged.
State state_of_job(const Job& job);

/// Prepares a state for dynamics. Satisfies constraints, draws velocities if the job says so, and
/// removes the net momentum if the job does. Throws NumericsError, naming the atom, if the
/// constraints cannot be satisfied from these positions.
void prepare_for_dynamics(const System& system, State& state);

/// Positions moved onto the constraints, from any distance; throws as above.
void meet_constraints(const System& system, State& state);

/// Puts virtual sites where their parents say; the two above do so, too.
void place_virtual_sites(const System& system, State& state);

/// MoleculeTable::whole at this state.
std::vector<Int3> images_of_whole_molecules(const System& system, const State& state);
/// The centres of the molecules of several fragments, with these images; without forces.
std::vector<MoleculeCentre> centres_of_molecules(const System& system, const State& state,
                                                 std::span<const Int3> images);

/// The state with centres of molecules and the box scaled by this factor; velocities stay.
State scaled(const System& system, State state, double factor);

/// The atoms of all fragments, or of some that follow each other, fragment by fragment.
std::vector<AtomRecord> all_records(const System& system, const State& state);
std::vector<AtomRecord> records_of(const System& system, const State& state, int first, int end);

State state_of_checkpoint(const Checkpoint& checkpoint);

}  // namespace fg::classical
