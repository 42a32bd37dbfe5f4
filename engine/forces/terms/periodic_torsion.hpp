// SPDX-License-Identifier: BSD-3-Clause
//
// A periodic torsion, proper or improper, with phi = 0 for cis:
//   E = k (1 + cos(n phi - phase)).
// The n-th power of cos(phi) + i sin(phi) gives cos(n phi) and sin(n phi). So the angle itself is
// not computed. Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/elementary.hpp"
#include "base/vec3.hpp"
#include "forces/terms/dihedral.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct TorsionResult {
  double energy = 0;
  std::array<Vec3, 4> force;
};

/// `cos_phase` and `sin_phase` are those of the term's phase.
inline TorsionResult periodic_torsion(const Dihedral& phi, int periodicity, double cos_phase,
                                      double sin_phase, double stiffness) noexcept {
  double c = 1.0, s = 0.0;
  for (int i = 0; i < periodicity; ++i) {
    const double next = c * phi.cosine - s * phi.sine;
    s = c * phi.sine + s * phi.cosine;
    c = next;
  }
  const double energy = stiffness * (1.0 + c * cos_phase + s * sin_phase);
  const double slope = stiffness * periodicity * (c * sin_phase - s * cos_phase);  // dE / d phi
  return {energy, phi.forces(slope)};
}

struct PeriodicTorsion {
  static constexpr std::string_view name = "a torsion", names_of_many = "torsions",
                                    table = "/torsions", energy = "torsion";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 4> atoms{};
  std::int32_t periodicity = 0;
  double phase = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    return std::tuple{column("periodicity", &PeriodicTorsion::periodicity, 0, 64),
                      column("phase", &PeriodicTorsion::phase, -1e7, 1e7),
                      column("stiffness", &PeriodicTorsion::stiffness, -1e7, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 4> lane_parameters() const noexcept {
    return {static_cast<double>(periodicity), elementary::cos(phase), elementary::sin(phase),
            stiffness};
  }

  struct Kernel {
    std::int32_t periodicity;
    double cos_phase, sin_phase, stiffness;
    Kernel(const PeriodicTorsion& t, const NoTables& /*none*/) noexcept
        : periodicity(t.periodicity),
          cos_phase(elementary::cos(t.phase)),
          sin_phase(elementary::sin(t.phase)),
          stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Dihedral phi = dihedral_of(atoms);
      const TorsionResult r = periodic_torsion(phi, periodicity, cos_phase, sin_phase, stiffness);
      atoms.add_energy(r.energy);
      add_dihedral(atoms, phi, r.force);
    }
  };
};
static_assert(BondedTerm<PeriodicTorsion>);

}  // namespace fg
