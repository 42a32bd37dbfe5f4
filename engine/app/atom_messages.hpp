// SPDX-License-Identifier: BSD-3-Clause
//
// Atoms on their way: between patches when lists are rebuilt, and to the conductor when a frame or
// a checkpoint is due.
// Units: bohr, bohr per au time, hartree/bohr.
#pragma once

#include <array>
#include <cstdint>

#include "base/vec3.hpp"
#include "runtime/runtime.hpp"

namespace fg::app {

/// An atom that changes patches. `image` counts the box edges taken off its position so far.
struct AtomRecord {
  std::int32_t id;
  Int3 image;
  Vec3 position;
  Vec3 velocity;
};

/// Trailing: AtomRecord [atoms], fragments whole.
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

enum class FramePurpose : std::int32_t { trajectory, checkpoint, last };

/// One patch's share of a frame. Trailing: FrameRecord [atoms].
struct FrameMessage : Message {
  std::int64_t step;
  FramePurpose purpose;
  std::int32_t atoms;
};

/// One patch's momentum in fixed point (momentum_scale).
struct MomentumMessage : Message {
  std::int64_t step;
  std::array<std::int64_t, 3> momentum;
};

/// The velocity to take off every atom [bohr per au time].
struct DriftVelocityMessage : Message {
  Vec3 velocity;
};

/// Why a process can keep nothing in memory. Trailing: char [length].
struct KeepFailureMessage : Message {
  std::int32_t process;
  std::int32_t length;
};

/// What all patches do at their next rebuild: a checkpoint on disk, or in memory.
enum class RebuildPlan : std::int64_t { go_on, save, save_and_stop, keep };

}  // namespace fg::app
