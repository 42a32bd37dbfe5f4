// SPDX-License-Identifier: BSD-3-Clause
//
// Rigid waters in closed form. Positions are set by SETTLE. Velocities are set by the inverse of
// the 3 x 3 matrix of the three multipliers, which depends only on the geometry. Source: Miyamoto,
// Kollman, J. Comput. Chem. 13, 952 (1992), doi:10.1002/jcc.540130805. Units: Hartree atomic units.
#pragma once

#include <array>

#include "motion/atoms/moving_atoms.hpp"
#include "particles/fragment.hpp"

namespace fg {

/// The triangle in its own frame, with weights from the masses.
struct SettleTriangle {
  explicit SettleTriangle(const WaterGeometry& water) noexcept;
  SettleTriangle() = default;

  double ra = 0, rb = 0, rc = 0;      // O above the centre of mass, H below it, half of H-H [bohr]
  double weight_o = 0, weight_h = 0;  // share of the total mass
  double inverse_mass_o = 0, inverse_mass_h = 0;
  std::array<double, 9> velocity_inverse{};  // of the matrix of the pairs (O H1, O H2, H1 H2)
};

/// The places of the waters' coordinates: slots o + w, h1 + w, h2 + w of each array.
struct WaterSlots {
  int waters = 0;  // rounded up to MotionLayout::slot_multiple
  int stride = 0;
};

/// Moves `position` so that each triangle keeps its shape; `previous` holds the shape before the
/// move. Adds inverse_timestep times the correction to `velocity` (0: no change). Returns the first
/// water whose triangle has no solution (moved too far, or NaN), or -1.
int settle_positions(const SettleTriangle& triangle, const WaterSlots& waters,
                     const ConstAxes& previous, const Axes& position, const Axes& velocity,
                     double inverse_timestep) noexcept;

/// Removes the velocity components that would change the triangles' sides.
void settle_velocities(const SettleTriangle& triangle, const WaterSlots& waters,
                       const ConstAxes& position, const Axes& velocity) noexcept;

}  // namespace fg
