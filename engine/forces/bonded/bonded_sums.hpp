// SPDX-License-Identifier: BSD-3-Clause
//
// The sums over bonded terms besides the forces.
// Units: hartree.
#pragma once

#include "base/vec3.hpp"
#include "forces/virial.hpp"

namespace fg {

inline void add_virial(Virial& virial, const Vec3& r, const Vec3& f) noexcept {
  virial[0] += r.x * f.x;
  virial[1] += r.y * f.y;
  virial[2] += r.z * f.z;
  virial[3] += r.x * f.y;
  virial[4] += r.x * f.z;
  virial[5] += r.y * f.z;
}

struct BondedSums {
  double bond = 0;
  double angle = 0;
  double torsion = 0;
  double exception_lennard_jones = 0;
  double exception_coulomb = 0;
  double excluded_coulomb = 0;  // subtracts the mesh's part of far exclusions
  Virial virial{};

  double total() const noexcept {
    return bond + angle + torsion + exception_lennard_jones + exception_coulomb + excluded_coulomb;
  }
};

}  // namespace fg
