// SPDX-License-Identifier: BSD-3-Clause
//
// The part of the mesh in an excluded pair, which has to be subtracted: E = -q erf(alpha r) / r.
// The pair kernels do so within their cutoff; this is for pairs that may get beyond it. Source:
// Essmann et al., J. Chem. Phys. 103, 8577 (1995), equation 2.5. Units: bohr, hartree, e.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>
#include <tuple>

#include "base/elementary.hpp"
#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct ExcludedResult {
  double energy = 0;
  Vec3 force;  // on the first atom
};

/// `d` from the second atom to the first, the nearest image.
inline ExcludedResult excluded_pair(const Vec3& d, double charge_product, double alpha) noexcept {
  const double r2 = dot(d, d), r = std::sqrt(r2), z = alpha * r;
  const double slope = 2 * alpha * std::numbers::inv_sqrtpi;
  if (z < 1e-3) {  // the series: the difference below would be all rounding
    return {-charge_product * slope * (1 - z * z / 3),
            d * (-charge_product * slope * alpha * alpha * 2 / 3)};
  }
  const double potential = elementary::erf(z) / r;
  return {-charge_product * potential,
          d * (-charge_product * (potential - slope * elementary::exp(-z * z)) / r2)};
}

/// An exclusion or exception that may get beyond the cutoff, where no pair kernel sees it. The mesh
/// holds its pair all the same; this term takes that out, at any distance.
struct FarExclusion {
  static constexpr std::string_view name = "an exclusion", names_of_many = "far exclusions",
                                    table = "", energy = "coulomb";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 2> atoms{};
  double charge_product = 0;  // of the atoms' own charges
  double ewald_coefficient = 0;

  static constexpr auto columns() { return std::tuple{}; }
  static constexpr bool counts() noexcept { return true; }

  struct Kernel {
    double charge_product, ewald_coefficient;
    Kernel(const FarExclusion& t, const NoTables& /*none*/) noexcept
        : charge_product(t.charge_product), ewald_coefficient(t.ewald_coefficient) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 d = atoms.between(0, 1);
      const ExcludedResult r = excluded_pair(d, charge_product, ewald_coefficient);
      add_pair(atoms, d, r.energy, r.force);
    }
  };
};
static_assert(BondedTerm<FarExclusion>);

}  // namespace fg
