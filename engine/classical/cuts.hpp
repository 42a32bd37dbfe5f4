// SPDX-License-Identifier: BSD-3-Clause
//
// The cut of a box that a barostat moves. The job gives the first one. A box that has become too
// small for it gets another, with fewer patches or with new frames for the mesh; the run then goes
// on with new objects. What comes next depends on the job and the box only. A box that grows keeps
// its cut. Units: bohr.
#pragma once

#include <cstdint>

#include "classical/system.hpp"
#include "motion/bath_state.hpp"

namespace fg::classical {

/// The cut with which a job starts.
Cut first_cut(const Job& job);

/// The share by which atoms may be further from their patch, in points of the mesh, than in the box
/// for which the mesh's frames are made; 1 where the box is constant.
double frame_room(const Job& job) noexcept;

class Cuts {
 public:
  explicit Cuts(const System& system);

  /// Whether patches are wide enough in this box, and the mesh's frames large enough.
  bool fits(const Cut& cut, const Box& box) const noexcept;
  /// The cut for a box from `step` on. NumericsError if the box is too small for any.
  Cut next(const Box& box, std::int64_t step) const;

 private:
  double cutoff_;
  double least_width_;  // of a patch
  Int3 most_;           // patches
};

}  // namespace fg::classical
