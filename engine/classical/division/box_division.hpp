// SPDX-License-Identifier: BSD-3-Clause
//
// The division of a box that a barostat moves. The job gives the first division. A box that has
// become too small for it gets another, with fewer patches or with new frames for the mesh. A box
// that has grown much gets back patches that it has lost. The run then saves a checkpoint and
// continues with new objects. What comes next depends on the job and the box only. Units: bohr.
#pragma once

#include <cstdint>

#include "classical/job/system.hpp"
#include "motion/bath_state.hpp"

namespace fg::classical {

/// The division with which a job starts.
BoxDivision first_division(const Job& job);

/// The mesh's frames are made for one box. In a later box atoms may be further from their patch, in
/// points of the mesh, by at most this factor. It is 1 where the box is constant.
double frame_room(const Job& job) noexcept;

class BoxDivisions {
 public:
  explicit BoxDivisions(const System& system);

  /// Replaces the division by another if the box from `step` on needs it. NumericsError if the box
  /// is too small or too large for any.
  void follow(BoxDivision& division, const Box& box, std::int64_t step) const;

 private:
  bool fits(const BoxDivision& division, const Vec3& widths) const noexcept;
  void refuse_too_small(const Box& box, std::int64_t step) const;
  void refuse_too_large(const Box& box, std::int64_t step) const;

  double cutoff_;
  Vec3 least_widths_;  // of a patch
  Int3 most_;          // patches
  Vec3 start_;         // the widths of the job's box
};

}  // namespace fg::classical
