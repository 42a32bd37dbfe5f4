// SPDX-License-Identifier: BSD-3-Clause
//
// The virial, as a sum over forces.
// Units: hartree.
#pragma once

#include <array>

#include "base/vec3.hpp"

namespace fg {

/// xx yy zz xy xz yz of sum r_a f_b, with r from a common point to the atom on which f acts.
using Virial = std::array<double, 6>;

/// Adds a force at r from the common point.
inline void add_virial(Virial& virial, const Vec3& r, const Vec3& f) noexcept {
  virial[0] += r.x * f.x;
  virial[1] += r.y * f.y;
  virial[2] += r.z * f.z;
  virial[3] += r.x * f.y;
  virial[4] += r.x * f.z;
  virial[5] += r.y * f.z;
}

}  // namespace fg
