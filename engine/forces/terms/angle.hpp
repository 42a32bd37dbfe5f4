// SPDX-License-Identifier: BSD-3-Clause
//
// What the terms of an angle between three atoms have in common; the second atom is in the middle.
// Units: bohr, hartree.
#pragma once

#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct AngleResult {
  double energy = 0;
  Vec3 first, last;  // forces; the middle atom's is minus their sum
};

/// `a` and `b` are the vectors from the middle atom to the first and the last.
void add_angle(TermAtoms auto& atoms, const Vec3& a, const Vec3& b, const AngleResult& r) noexcept {
  atoms.add_force(0, r.first);
  atoms.add_force(1, -(r.first + r.last));
  atoms.add_force(2, r.last);
  atoms.add_energy(r.energy);
  atoms.add_virial(a, r.first);
  atoms.add_virial(b, r.last);
}

}  // namespace fg
