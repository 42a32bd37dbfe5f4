// SPDX-License-Identifier: BSD-3-Clause
//
// Messages between spreaders and pencils.
#pragma once

#include <cstdint>

#include "base/box.hpp"
#include "fft/grid_box.hpp"
#include "fft/pencil_geometry.hpp"
#include "fft/pencils/block_rows.hpp"
#include "particles/step_kind.hpp"
#include "runtime/runtime.hpp"

namespace fg {

/// The charges of a patch on all points that it touches: one buffer for all z-pencils that own
/// some.
/// Trailing: Real [x][y][z] of `box`, and grid_tail zeros.
template <class Real>
struct ChargeBlockMessage : Message {
  std::int64_t step;
  std::int64_t round;  // of the mesh: how many evaluations are before this one
  fft::GridBox box;    // may extend over the mesh's edges
  std::int32_t spreader;
  StepKind kind;
  Box cell;  // of the simulation
};

/// The potential on all lines of a z-pencil: one buffer for all spreaders of its process.
/// Trailing: Real, where `rows` says.
template <class Real>
struct PotentialLinesMessage : Message {
  std::int64_t round;
  fft::BlockRows rows;
};

/// The potential at the points of a box that one z-pencil owns, for a spreader in another process.
/// Trailing: Real, in the order of MeshCharges::copy_block.
template <class Real>
struct PotentialBlockMessage : Message {
  std::int64_t round;
  fft::PencilIndex pencil;
};

}  // namespace fg
