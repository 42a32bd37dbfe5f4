// SPDX-License-Identifier: BSD-3-Clause
//
// An angle of GROMOS: E = 1/2 k (cos(theta) - cos(theta0))^2, theta at the middle atom. GROMACS's
// angle of function 2. If the three atoms are in line, the force is zero.
// Source: van Gunsteren et al., Biomolecular Simulation: the GROMOS96 Manual and User Guide (1996);
// GROMACS Reference Manual, "Cosine based angle potential".
// Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/elementary.hpp"
#include "base/vec3.hpp"
#include "forces/terms/angle.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct GromosAngle {
  static constexpr std::string_view name = "a GROMOS angle", names_of_many = "GROMOS angles",
                                    table = "/gromos_angles", energy = "angle";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 3> atoms{};  // the middle one second
  double angle = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    // Up to a turn, so that degrees in the place of radians are found.
    return std::tuple{column("angle", &GromosAngle::angle, 0, 6.3),
                      column("stiffness", &GromosAngle::stiffness, 0, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }

  struct Kernel {
    double cosine, stiffness;
    Kernel(const GromosAngle& t, const NoTables& /*none*/) noexcept
        : cosine(elementary::cos(t.angle)), stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 a = atoms.between(0, 1), b = atoms.between(2, 1);
      const double a2 = dot(a, a), b2 = dot(b, b), per_length = 1 / std::sqrt(a2 * b2);
      const double c = dot(a, b) * per_length;
      const double pull = -stiffness * (c - cosine);
      // d cos(theta) / d a = b / (|a| |b|) - a cos(theta) / |a|^2, likewise for b.
      add_angle(atoms, a, b,
                {0.5 * stiffness * (c - cosine) * (c - cosine),
                 pull * (per_length * b - (c / a2) * a), pull * (per_length * a - (c / b2) * b)});
    }
  };
};
static_assert(BondedTerm<GromosAngle>);

}  // namespace fg
