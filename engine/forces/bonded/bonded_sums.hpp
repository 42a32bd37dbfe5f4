// SPDX-License-Identifier: BSD-3-Clause
//
// The sums over bonded terms besides the forces.
// Units: hartree.
#pragma once

#include <array>
#include <numeric>

#include "base/vec3.hpp"
#include "forces/energy_terms.hpp"
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
  std::array<double, energy_term_count> energy{};  // by energy_term(name)
  Virial virial{};

  double total() const noexcept { return std::accumulate(energy.begin(), energy.end(), 0.0); }
};

}  // namespace fg
