// SPDX-License-Identifier: BSD-3-Clause
//
// A bond of GROMOS: E = 1/4 k (r^2 - r0^2)^2, which needs no root. GROMACS's bond of function 2.
// Source: van Gunsteren et al., Biomolecular Simulation: the GROMOS96 Manual and User Guide (1996);
// GROMACS Reference Manual, "Fourth power potential".
// Units: bohr, hartree.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct GromosBond {
  static constexpr std::string_view name = "a GROMOS bond", names_of_many = "GROMOS bonds",
                                    table = "/gromos_bonds", energy = "bond";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 2> atoms{};
  double length = 0;
  double stiffness = 0;  // [hartree/bohr^4]

  static constexpr auto columns() {
    return std::tuple{column("length", &GromosBond::length, 0, 1e7),
                      column("stiffness", &GromosBond::stiffness, 0, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }

  struct Kernel {
    double length2, stiffness;
    Kernel(const GromosBond& t, const NoTables& /*none*/) noexcept
        : length2(t.length * t.length), stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 d = atoms.between(0, 1);
      const double stretch = dot(d, d) - length2;
      add_pair(atoms, d, 0.25 * stiffness * stretch * stretch, -stiffness * stretch * d);
    }
  };
};
static_assert(BondedTerm<GromosBond>);

}  // namespace fg
