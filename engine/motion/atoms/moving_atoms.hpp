// SPDX-License-Identifier: BSD-3-Clause
//
// The atoms of one patch in the layout of the integrators, with one array per axis. Rigid waters
// are three blocks (oxygens, first hydrogens, second hydrogens). So every kernel runs over whole
// vectors without gathering. A slot is a place in these arrays. Slots without an atom have id -1,
// inverse mass 0, velocity and force 0, and a valid position; computing on them is harmless. A
// virtual site is such a slot with a position and a force of its own. Units: Hartree atomic units.
// Frame: any, but the same for all atoms of a fragment.
#pragma once

#include <array>
#include <cstdint>
#include <span>

#include "base/aligned_vector.hpp"
#include "base/round_up.hpp"
#include "base/vec3.hpp"
#include "particles/fragment.hpp"

namespace fg {

/// Slots: [0, stride) oxygens, [stride, 2 stride) first hydrogens, [2 stride, 3 stride) second
/// hydrogens. The atoms of all other fragments follow, fragment by fragment, and then the virtual
/// sites. All counts are rounded up to `slot_multiple`.
struct MotionLayout {
  static constexpr int slot_multiple = 8;  // the widest vector of doubles

  int waters = 0;
  int others = 0;
  int sites = 0;

  constexpr int water_stride() const noexcept { return round_up(waters, slot_multiple); }
  constexpr int first_other() const noexcept { return 3 * water_stride(); }
  constexpr int slots() const noexcept {
    return first_other() + round_up(others + sites, slot_multiple);
  }
  /// Slot of atom 0, 1, 2 (O, H, H) of a water.
  constexpr int water_slot(int water, int atom) const noexcept {
    return atom * water_stride() + water;
  }
  constexpr int other_slot(int i) const noexcept { return first_other() + i; }
  constexpr int site_slot(int i) const noexcept { return first_other() + others + i; }
};

/// One array of slots per axis.
using Axes = std::array<double*, 3>;
using ConstAxes = std::array<const double*, 3>;

class MovingAtoms {
 public:
  /// Sets the shape and makes every slot one without an atom. Allocates only to grow.
  void reset(const MotionLayout& layout, const WaterGeometry& water);

  /// Puts an atom into a slot, with zero force.
  void place(int slot, std::int32_t id, double mass, const Vec3& position,
             const Vec3& velocity) noexcept;
  /// Puts a virtual site into a slot.
  void place_site(int slot, const Vec3& position) noexcept;

  const MotionLayout& layout() const noexcept { return layout_; }
  int slots() const noexcept { return slots_; }

  Axes position() noexcept { return axes(0); }
  Axes velocity() noexcept { return axes(3); }
  Axes force() noexcept { return axes(6); }
  Axes previous() noexcept { return axes(9); }  // positions before the constraints are applied
  ConstAxes position() const noexcept { return axes(0); }
  ConstAxes velocity() const noexcept { return axes(3); }
  ConstAxes force() const noexcept { return axes(6); }
  ConstAxes previous() const noexcept { return axes(9); }
  const double* inverse_mass() const noexcept { return doubles_.data() + 12 * slots_; }
  const double* mass() const noexcept { return doubles_.data() + 13 * slots_; }
  /// sqrt(1 / mass), zero in slots without an atom.
  const double* root_inverse_mass() const noexcept { return doubles_.data() + 14 * slots_; }
  std::span<const std::int32_t> ids() const noexcept { return {ids_.data(), ids_.size()}; }
  std::array<float*, 3> noise() noexcept {
    return {noise_.data(), noise_.data() + slots_, noise_.data() + 2 * slots_};
  }

  Vec3 position_of(int slot) const noexcept { return at(position(), slot); }
  Vec3 velocity_of(int slot) const noexcept { return at(velocity(), slot); }
  Vec3 force_of(int slot) const noexcept { return at(force(), slot); }
  void set_position(int slot, const Vec3& value) noexcept { put(position(), slot, value); }
  void set_velocity(int slot, const Vec3& value) noexcept { put(velocity(), slot, value); }
  void set_force(int slot, const Vec3& value) noexcept { put(force(), slot, value); }

 private:
  Axes axes(int first) noexcept {
    double* p = doubles_.data();
    return {p + first * slots_, p + (first + 1) * slots_, p + (first + 2) * slots_};
  }
  ConstAxes axes(int first) const noexcept {
    const double* p = doubles_.data();
    return {p + first * slots_, p + (first + 1) * slots_, p + (first + 2) * slots_};
  }
  static Vec3 at(const ConstAxes& a, int slot) noexcept {
    return {a[0][slot], a[1][slot], a[2][slot]};
  }
  static void put(const Axes& a, int slot, const Vec3& v) noexcept {
    a[0][slot] = v.x, a[1][slot] = v.y, a[2][slot] = v.z;
  }

  MotionLayout layout_;
  int slots_ = 0;
  AlignedVector<double> doubles_;    // [15][slots]
  AlignedVector<float> noise_;       // [3][slots]
  AlignedVector<std::int32_t> ids_;  // [slots]
};

}  // namespace fg
