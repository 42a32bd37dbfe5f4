// SPDX-License-Identifier: BSD-3-Clause
//
// A harmonic bond: E = 1/2 k (r - r0)^2.
// Source: Allen, Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), appendix C.
// Units: bohr, hartree.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

/// `d` is the vector from the second atom to the first, nearest image. `force` acts on the first
/// atom; the second atom gets its negative.
struct BondResult {
  double energy = 0;
  Vec3 force;
};
inline BondResult harmonic_bond(const Vec3& d, double length, double stiffness) noexcept {
  const double r = norm(d);
  const double stretch = r - length;
  // For two atoms at the same place the direction of the force is undefined.
  const double pull = r > 0 ? -stiffness * stretch / r : 0.0;
  return {0.5 * stiffness * stretch * stretch, pull * d};
}

struct HarmonicBond {
  static constexpr std::string_view name = "a bond", names_of_many = "bonds", table = "/bonds",
                                    energy = "bond";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 2> atoms{};
  double length = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    return std::tuple{column("length", &HarmonicBond::length, 0, 1e7),
                      column("stiffness", &HarmonicBond::stiffness, 0, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 2> lane_parameters() const noexcept { return {length, stiffness}; }

  struct Kernel {
    double length, stiffness;
    Kernel(const HarmonicBond& t, const NoTables& /*none*/) noexcept
        : length(t.length), stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 d = atoms.between(0, 1);
      const BondResult r = harmonic_bond(d, length, stiffness);
      add_pair(atoms, d, r.energy, r.force);
    }
  };
};
static_assert(BondedTerm<HarmonicBond>);

}  // namespace fg
