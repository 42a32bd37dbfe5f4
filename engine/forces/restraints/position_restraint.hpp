// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic position restraint:
//   E = 1/2 sum_a k_a d_a^2.
// Here d is the nearest image of r - r0. Each axis has a force constant k_a, as in GROMACS.
//
// In a box that changes, the reference is r0 = r_start + (L / L_start - 1) c. It follows as far as
// its anchor c does. c = 0 holds it ("none"). c = r_start makes it fractional ("all"). If c is the
// centre of mass of a group's references, only that centre is fractional ("com").
//
// The virial is -dE/ds for a strain s of box, atoms and anchors. Let n be the images between the
// atom and its reference, and c' the anchor in the present box. Then d = r - n L - r0, so
//   dd/ds = (r - n L) - c L / L_start = r0 + d - c'.
// Hence W = (r0 + d - c') f, with f = -k d.
//
// Everything is in double precision, in both precisions of a run; there is no faster form. Units:
// Hartree atomic units.
#pragma once

#include <cstdint>

#include "base/box.hpp"
#include "base/vec3.hpp"

namespace fg {

struct PositionRestraint {
  std::int32_t atom = 0;
  Vec3 stiffness;        // k of each axis
  Vec3 reference;        // in the starting box
  Vec3 anchor;           // the part of the reference that is stretched with the box
  bool follows = false;  // whether each copy of a repeated cell has an anchor of its own
};

struct RestraintPull {
  double energy = 0;
  Vec3 force;
  Vec3 lever;  // the virial is the product of this and the force
};

/// `start`: the edges of the box in which the reference is given.
inline RestraintPull pull(const PositionRestraint& restraint, const Vec3& position,
                          const Vec3& start, const Box& box) noexcept {
  RestraintPull result;
  Vec3 reference = restraint.reference, anchor = restraint.anchor;
  for (int axis = 0; axis < 3; ++axis) {
    const double growth = box.edge[axis] / start[axis] - 1;  // exactly 0 in the starting box
    reference[axis] += growth * restraint.anchor[axis];
    anchor[axis] += growth * restraint.anchor[axis];
  }
  const Vec3 d = box.nearest_image(position - reference);
  for (int axis = 0; axis < 3; ++axis) {
    result.force[axis] = -restraint.stiffness[axis] * d[axis];
    result.energy -= 0.5 * result.force[axis] * d[axis];
  }
  result.lever = reference + d - anchor;
  return result;
}

}  // namespace fg
