// SPDX-License-Identifier: BSD-3-Clause
#include "motion/atoms/moving_atoms.hpp"

#include <algorithm>
#include <cmath>

namespace fg {

void MovingAtoms::reset(const MotionLayout& layout, const WaterGeometry& water) {
  layout_ = layout;
  slots_ = layout.slots();
  doubles_.assign(std::size_t{15} * slots_, 0.0);
  noise_.assign(std::size_t{3} * slots_, 0.0f);
  ids_.assign(slots_, -1);
  // A triangle of the right shape, so that empty lanes are no special case for SETTLE.
  const double half = 0.5 * water.r_hh;
  const double height = std::sqrt(std::max(water.r_oh * water.r_oh - half * half, 0.0));
  const int stride = layout.water_stride();
  for (int w = 0; w < stride; ++w) {
    for (const Axes& axes : {position(), previous()}) {
      axes[0][stride + w] = half;
      axes[1][stride + w] = height;
      axes[0][2 * stride + w] = -half;
      axes[1][2 * stride + w] = height;
    }
  }
}

void MovingAtoms::place(int slot, std::int32_t id, double mass, const Vec3& position,
                        const Vec3& velocity) noexcept {
  ids_[slot] = id;
  doubles_[std::size_t{12} * slots_ + slot] = 1.0 / mass;
  doubles_[std::size_t{13} * slots_ + slot] = mass;
  doubles_[std::size_t{14} * slots_ + slot] = std::sqrt(1.0 / mass);
  set_position(slot, position);
  put(previous(), slot, position);
  set_velocity(slot, velocity);
  set_force(slot, {});
}

void MovingAtoms::place_site(int slot, const Vec3& position) noexcept {
  set_position(slot, position);
  put(previous(), slot, position);
}

}  // namespace fg
