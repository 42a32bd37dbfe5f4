// SPDX-License-Identifier: BSD-3-Clause
//
// The constraints of one patch: waters by SETTLE, stars (X-H groups) by Newton's method on their
// multipliers, all others by SHAKE and RATTLE. Each fragment is solved separately, so its bits
// depend only on its own atoms. Source: Ryckaert, Ciccotti, Berendsen, J. Comput. Phys. 23, 327
// (1977); Andersen, J. Comput. Phys. 52, 24 (1983); Kraeutler, van Gunsteren, Huenenberger, J.
// Comput. Chem. 22, 501 (2001), "M-SHAKE".
#pragma once

#include <array>
#include <vector>

#include "base/aligned_vector.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "motion/constraints/settle.hpp"
#include "motion/constraints/shake.hpp"
#include "particles/fragment.hpp"

namespace fg {

/// The first slot of a fragment whose constraints could not be satisfied, or -1.
struct ConstraintStatus {
  int failed_slot = -1;

  bool ok() const noexcept { return failed_slot < 0; }
};

class PatchConstraints {
 public:
  /// `tolerance` is the largest allowed relative error of a distance.
  PatchConstraints(const WaterGeometry& water, double tolerance) noexcept;

  /// Use, after atoms were placed again: call `clear`. Then call `add` for each fragment that is
  /// not a water, with the slot of its first atom (the others follow in the table's order). Then
  /// call `finish`.
  void clear(const MotionLayout& layout);
  void add(const FragmentTable& table, int fragment, int first_slot);
  void finish(const MovingAtoms& atoms);

  /// Moves positions onto the constraints, along the bonds of `atoms.previous()`; adds the
  /// correction times `inverse_timestep` to the velocities.
  ConstraintStatus apply_to_positions(MovingAtoms& atoms, double inverse_timestep) const noexcept;

  /// Removes the part of the velocities that would stretch a constraint at `atoms.position()`.
  ConstraintStatus apply_to_velocities(MovingAtoms& atoms) const noexcept;

  /// The largest relative error of a constrained distance in `atoms.position()`.
  double worst_error(const MovingAtoms& atoms) const noexcept;

  /// The number of constraints of the patch, including those of its waters.
  int count() const noexcept { return count_; }

 private:
  SettleTriangle triangle_;
  WaterGeometry water_;
  double tolerance_;
  MotionLayout layout_;
  int count_ = 0;
  std::array<StarList, max_star_leaves> stars_;  // by number of leaves, 1 to 4
  ShakeList general_;
};

}  // namespace fg
