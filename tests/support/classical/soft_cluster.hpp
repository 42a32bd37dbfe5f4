// SPDX-License-Identifier: BSD-3-Clause
//
// A smooth energy for small systems without any engine force: a spring from each atom to a point,
// and soft repulsion between all atoms of different fragments.
// Units: Hartree atomic units.
#pragma once

#include <cmath>

#include "support/classical/moving_systems.hpp"

namespace fg::test {

struct SoftCluster {
  double spring = 1e-3;     // [hartree/bohr^2]
  double repulsion = 0.02;  // [hartree] at distance 0
  double width2 = 9.0;      // [bohr^2]

  /// The energy at the present positions; sets the forces.
  double operator()(SmallSystem& system) const {
    MovingAtoms& atoms = system.atoms;
    double energy = 0;
    for (int i = 0; i < system.size(); ++i) {
      const Vec3 d = atoms.position_of(system.slot_of_atom[i]) - system.position[i];
      energy += 0.5 * spring * dot(d, d);
      atoms.set_force(system.slot_of_atom[i], -spring * d);
    }
    for (int i = 0; repulsion > 0 && i < system.size(); ++i)
      for (int j = 0; j < i; ++j) {
        if (system.fragment[i] == system.fragment[j]) continue;
        const int a = system.slot_of_atom[i], b = system.slot_of_atom[j];
        const Vec3 d = atoms.position_of(a) - atoms.position_of(b);
        const double e = repulsion * std::exp(-dot(d, d) / width2);
        const Vec3 f = (2 * e / width2) * d;
        energy += e;
        atoms.set_force(a, atoms.force_of(a) + f);
        atoms.set_force(b, atoms.force_of(b) - f);
      }
    return energy;
  }
};

}  // namespace fg::test
