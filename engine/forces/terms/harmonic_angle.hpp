// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic angle: E = 1/2 k (theta - theta0)^2, theta at the middle atom.
// The angle comes from atan2 of sine and cosine, which is accurate from 0 to pi. If the three atoms
// are in line, the direction of the force is undefined; the force is then bounded.
// Source: Swope, Ferguson, J. Comput. Chem. 13, 585 (1992), doi:10.1002/jcc.540130508.
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

/// `a` and `b` are the vectors from the middle atom to the first and the last.
inline AngleResult harmonic_angle(const Vec3& a, const Vec3& b, double angle,
                                  double stiffness) noexcept {
  const Vec3 normal = cross(a, b);
  const double a2 = dot(a, a), b2 = dot(b, b);
  // |a x b| below this means an angle within 1e-8 of straight: its direction is round-off only.
  const double smallest = 1e-8 * std::sqrt(a2 * b2) + 1e-300;
  const double sine = norm(normal);
  const double bend = elementary::atan2(sine, dot(a, b)) - angle;
  const double torque = -stiffness * bend / (sine > smallest ? sine : smallest);
  // d theta / d a = (a x (a x b)) / (|a|^2 |a x b|), likewise for b with the opposite sign.
  return {0.5 * stiffness * bend * bend, (torque / a2) * cross(a, normal),
          (torque / b2) * cross(normal, b)};
}

struct HarmonicAngle {
  static constexpr std::string_view name = "an angle", names_of_many = "angles", table = "/angles",
                                    energy = "angle";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 3> atoms{};  // the middle one second
  double angle = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    return std::tuple{column("angle", &HarmonicAngle::angle, 0, 1e7),
                      column("stiffness", &HarmonicAngle::stiffness, 0, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 2> lane_parameters() const noexcept { return {angle, stiffness}; }

  struct Kernel {
    double angle, stiffness;
    Kernel(const HarmonicAngle& t, const NoTables& /*none*/) noexcept
        : angle(t.angle), stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 a = atoms.between(0, 1), b = atoms.between(2, 1);
      add_angle(atoms, a, b, harmonic_angle(a, b, angle, stiffness));
    }
  };
};
static_assert(BondedTerm<HarmonicAngle>);

}  // namespace fg
