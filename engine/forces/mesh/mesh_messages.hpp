// SPDX-License-Identifier: BSD-3-Clause
//
// Messages between spreaders and pencils.
#pragma once

#include <cstddef>
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
/// A spreader sends a pencil of another process only the points in it.
/// From a collector: the charges of several patches on points of one z-pencil.
/// Trailing: ChargeSum<Real> [x][y][z] of `box`, and line_tail zeros.
template <class Real>
struct ChargeBlockMessage : Message {
  std::int64_t step;
  std::int64_t round;      // of the mesh: how many evaluations are before this one
  fft::GridBox box;        // may extend over the mesh's edges
  std::int32_t spreader;   // that sends it, or -1
  std::int32_t collector;  // that sends it, or -1
  StepKind kind;
  Box cell;  // of the simulation
};

/// A message of the same round for the points of another box, from nobody yet, with room for
/// `bytes`.
template <class Real>
Ref<ChargeBlockMessage<Real>> make_charges_like(const ChargeBlockMessage<Real>& block,
                                                const fft::GridBox& box, std::size_t bytes) {
  auto message = make_message<ChargeBlockMessage<Real>>(bytes);
  message->step = block.step;
  message->round = block.round;
  message->box = box;
  message->spreader = -1;
  message->collector = -1;
  message->kind = block.kind;
  message->cell = block.cell;
  return message;
}

/// The potential on all lines of a z-pencil: one buffer for all spreaders of its process.
/// Trailing: Real, where `rows` says.
template <class Real>
struct PotentialLinesMessage : Message {
  std::int64_t round;
  fft::BlockRows rows;
};

/// The potential at the points of a box in one z-pencil, for spreaders of another process.
/// Trailing: Real [x][y][z] of `box`.
template <class Real>
struct PotentialBlockMessage : Message {
  std::int64_t round;
  fft::PencilIndex pencil;
  fft::GridBox box;  // as that of the charges
};

}  // namespace fg
