// SPDX-License-Identifier: BSD-3-Clause
//
// Messages with atoms: between patches when lists are rebuilt, and to the conductor when a frame or
// a checkpoint is due.
// Units: bohr, bohr per au time, hartree/bohr.
#pragma once

#include <array>
#include <cstdint>

#include "base/vec3.hpp"
#include "records/checkpoints/atom_record.hpp"
#include "records/trajectory/output_queue.hpp"
#include "runtime/runtime.hpp"

namespace fg::classical {

/// Trailing: AtomRecord [atoms], in whole fragments.
struct AtomsMessage : Message {
  std::int32_t atoms;
};

struct FrameRecord {
  std::int32_t id;
  Int3 image;
  Vec3 position;
  Vec3 velocity;
  Vec3 force;
};

/// The atoms of one patch for a frame. Trailing: FrameRecord [atoms].
struct FrameMessage : Message {
  std::int64_t step;
  FramePurpose purpose;
  std::int32_t atoms;
  BathState bath;     // at this step, without the heat of this run
  std::int64_t heat;  // as in EnergyDeposit
};

/// The message of a patch at a rebuild: how its atoms have moved since the last one.
struct StandingMessage : Message {
  std::int64_t step;
  std::int64_t kinetic_energy;  // energy_scale
  double displacement;          // the largest of any fragment [bohr]
};

/// One patch's momentum in fixed point (momentum_scale).
struct MomentumMessage : Message {
  std::int64_t step;
  std::array<std::int64_t, 3> momentum;
};

/// The velocity to subtract from every atom [bohr per au time].
struct DriftVelocityMessage : Message {
  Vec3 velocity;
};

/// What all patches do at their next rebuild: continue, save on disk (and stop), or keep a copy in
/// memory.
enum class RebuildPlan : std::int64_t { go_on, save, save_and_stop, keep };

/// What all patches do at a coupling step, before their atoms look for their patches.
struct Scaling {
  Vec3 length{1, 1, 1};  // factors for the edges and for the centres of molecules
  double velocity = 1;   // factor for all velocities
};

/// Trailing: MoleculeCentre [centres] at the coupling step, of all molecules of several fragments.
struct PlanMessage : Message {
  RebuildPlan plan;
  std::int32_t centres;
  Scaling scaling;  // on coupling steps
  BathState bath;   // after it
};

}  // namespace fg::classical
