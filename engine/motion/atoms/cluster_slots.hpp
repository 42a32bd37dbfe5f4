// SPDX-License-Identifier: BSD-3-Clause
//
// The slots of the integrators in which the atoms of clusters are. Positions go from slots to
// clusters, and forces go back, a vector at a time. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <span>

#include "base/aligned_vector.hpp"
#include "base/vec3.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "particles/cluster_order.hpp"

namespace fg {

class ClusterSlots {
 public:
  /// `slots` [atoms] are those in `atoms`. Allocates only to grow.
  void set(const ClusterOrder& order, std::span<const std::int32_t> slots,
           const MovingAtoms& atoms);

  /// What the pack_positions of cluster_order.hpp does, with its bits: Real [clusters][3][8].
  template <class Real>
  void pack_positions(const MovingAtoms& atoms, const Vec3& centre, Real* out) const noexcept;

  /// Gives atoms the sums of their forces, fixed point by force_scale, [clusters][3][8].
  void give_forces(const std::int64_t* sums, MovingAtoms& atoms) const noexcept;

 private:
  int atoms_ = 0;
  AlignedVector<std::int64_t> slots_;   // [clusters][8]; padding has that of some atom
  AlignedVector<std::int64_t> places_;  // [slots]: of x in the sums of forces; -1 without an atom
};

}  // namespace fg
