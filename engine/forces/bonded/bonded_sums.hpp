// SPDX-License-Identifier: BSD-3-Clause
//
// What bonded terms add up beside forces.
// Units: hartree.
#pragma once

#include <array>

#include "base/vec3.hpp"

namespace fg {

/// xx yy zz xy xz yz of sum r_a f_b, with r from a common point to the atom that feels f.
using Virial = std::array<double, 6>;

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
  Virial virial{};

  double total() const noexcept {
    return bond + angle + torsion + exception_lennard_jones + exception_coulomb;
  }
};

}  // namespace fg
