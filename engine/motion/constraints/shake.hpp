// SPDX-License-Identifier: BSD-3-Clause
//
// Constraint clusters other than water. A star is a centre and its leaves. All stars with the same
// number of leaves are solved side by side, one per SIMD lane. A lane no longer changes once its
// star is solved. A general cluster is solved by SHAKE and RATTLE, bond after bond. Units: Hartree
// atomic units.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/aligned_vector.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "particles/fragment.hpp"

namespace fg {

inline constexpr int max_newton_iterations = 30;
inline constexpr int max_shake_iterations = 10000;

/// Stars with `leaves` leaves each, padded with copies of the last star to
/// MotionLayout::slot_multiple.
struct StarList {
  int stars = 0;                                                  // without padding
  int padded = 0;                                                 // with padding
  AlignedVector<std::int64_t> centre;                             // [padded] slots
  AlignedVector<double> centre_inverse_mass;                      // [padded]
  std::array<AlignedVector<std::int64_t>, max_star_leaves> leaf;  // [leaves][padded] slots
  std::array<AlignedVector<double>, max_star_leaves> leaf_inverse_mass;
  std::array<AlignedVector<double>, max_star_leaves> distance2;  // squared [bohr^2]

  void clear() noexcept;
};

/// A constraint between two slots.
struct ShakeBond {
  std::int32_t a = 0;
  std::int32_t b = 0;
  double distance2 = 0;
  double inverse_mass_a = 0;
  double inverse_mass_b = 0;
};

struct ShakeList {
  std::vector<std::int32_t> first{0};  // [clusters + 1] into bonds
  std::vector<ShakeBond> bonds;

  void clear() noexcept;
  int clusters() const noexcept { return static_cast<int>(first.size()) - 1; }
};

/// Like settle_positions; the tolerance is relative to the distance. Returns the first star that
/// did not converge, or -1. `leaves` is 1 to 4.
int shake_stars(int leaves, const StarList& list, double tolerance, const ConstAxes& previous,
                const Axes& position, const Axes& velocity, double inverse_timestep) noexcept;

/// Like settle_velocities: one direct solution per star.
void rattle_stars(int leaves, const StarList& list, const ConstAxes& position,
                  const Axes& velocity) noexcept;

/// General clusters, bond after bond until all are within the tolerance. Returns the first cluster
/// that did not converge, or -1.
int shake_clusters(const ShakeList& list, double tolerance, const ConstAxes& previous,
                   const Axes& position, const Axes& velocity, double inverse_timestep) noexcept;
int rattle_clusters(const ShakeList& list, double tolerance, const ConstAxes& position,
                    const Axes& velocity) noexcept;

}  // namespace fg
