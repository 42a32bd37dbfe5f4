// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic torsion: E = 1/2 k (phi - phi0)^2, phi = 0 for cis. The difference is taken from -pi
// to pi, so the energy is periodic. CHARMM's and GROMACS's harmonic impropers; CHARMM's force
// constant is half of this one.
// Source: Brooks et al., J. Comput. Chem. 4, 187 (1983), doi:10.1002/jcc.540040211.
// Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/elementary.hpp"
#include "forces/terms/dihedral.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct HarmonicTorsion {
  static constexpr std::string_view name = "a harmonic torsion",
                                    names_of_many = "harmonic torsions",
                                    table = "/harmonic_torsions", energy = "improper";
  static constexpr bool always_reported = false;
  using Shared = NothingShared;
  std::array<std::int32_t, 4> atoms{};
  double angle = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    // Up to a turn, so that degrees in the place of radians are found.
    return std::tuple{column("angle", &HarmonicTorsion::angle, -6.3, 6.3),
                      column("stiffness", &HarmonicTorsion::stiffness, -1e7, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 3> lane_parameters() const noexcept {
    return {elementary::cos(angle), elementary::sin(angle), stiffness};
  }

  struct Kernel {
    double cos_angle, sin_angle, stiffness;
    Kernel(const HarmonicTorsion& t, const NoTables& /*none*/) noexcept
        : cos_angle(elementary::cos(t.angle)),
          sin_angle(elementary::sin(t.angle)),
          stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Dihedral phi = dihedral_of(atoms);
      const double turn = elementary::atan2(phi.sine * cos_angle - phi.cosine * sin_angle,
                                            phi.cosine * cos_angle + phi.sine * sin_angle);
      atoms.add_energy(0.5 * stiffness * turn * turn);
      add_dihedral(atoms, phi, phi.forces(stiffness * turn));
    }
  };
};
static_assert(BondedTerm<HarmonicTorsion>);

}  // namespace fg
