// SPDX-License-Identifier: BSD-3-Clause
//
// The dihedral angle phi of four atoms i, j, k, l by its cosine and sine. Also the forces of an
// energy that depends on it. The angle is 0 for cis. There is no division by sin(phi). Source:
// Blondel, Karplus, J. Comput. Chem. 17, 1132 (1996),
// doi:10.1002/(SICI)1096-987X(19960715)17:9<1132::AID-JCC5>3.0.CO;2-T. Units: bohr, hartree,
// radians.
#pragma once

#include <array>
#include <cmath>

#include "base/elementary.hpp"
#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct Dihedral {
  Vec3 f, g, h;  // i - j, j - k, l - k
  double cosine, sine;
  Vec3 d_f, d_g, d_h;  // d phi / d(each of these vectors), equation 24

  Dihedral(const Vec3& ij, const Vec3& jk, const Vec3& lk) noexcept : f(ij), g(jk), h(lk) {
    const Vec3 a = cross(f, g);
    const Vec3 b = cross(h, g);
    const double g2 = dot(g, g);
    const double g1 = std::sqrt(g2);
    double a2 = dot(a, a), b2 = dot(b, b);
    // Three atoms in line leave phi undefined; below an angle of 1e-8 the force is bounded.
    const double smallest = 1e-16 * g2;
    const double a2_least = smallest * dot(f, f) + 1e-300;
    const double b2_least = smallest * dot(h, h) + 1e-300;
    a2 = a2 > a2_least ? a2 : a2_least;
    b2 = b2 > b2_least ? b2 : b2_least;
    const double scale = 1.0 / std::sqrt(a2 * b2);
    cosine = dot(a, b) * scale;
    sine = dot(cross(b, a), g) * scale / g1;
    d_f = (-g1 / a2) * a;
    d_h = (g1 / b2) * b;
    d_g = (dot(f, g) / (a2 * g1)) * a - (dot(h, g) / (b2 * g1)) * b;
  }

  /// The angle is from -pi to pi.
  double angle() const noexcept { return elementary::atan2(sine, cosine); }

  /// The forces on the four atoms where dE / d phi is `slope`.
  std::array<Vec3, 4> forces(double slope) const noexcept {
    const Vec3 on_i = -slope * d_f, on_g = -slope * d_g, on_l = -slope * d_h;
    return {on_i, on_g - on_i, -on_g - on_l, on_l};
  }
};

/// The dihedral of four atoms of a term, from `first` on.
Dihedral dihedral_of(const TermAtoms auto& atoms, int first = 0) noexcept {
  return {atoms.between(first, first + 1), atoms.between(first + 1, first + 2),
          atoms.between(first + 3, first + 2)};
}

/// Adds forces and virial; positions are relative to the third atom.
void add_dihedral(TermAtoms auto& atoms, const Dihedral& phi, const std::array<Vec3, 4>& force,
                  int first = 0) noexcept {
  for (int k = 0; k < 4; ++k) atoms.add_force(first + k, force[k]);
  atoms.add_virial(phi.f + phi.g, force[0]);
  atoms.add_virial(phi.g, force[1]);
  atoms.add_virial(phi.h, force[3]);
}

}  // namespace fg
