// SPDX-License-Identifier: BSD-3-Clause
//
// A pair with its own Lennard-Jones parameters and charge product, mostly 1-4 neighbours:
// E = 4 epsilon ((sigma/r)^12 - (sigma/r)^6) + q/r, without a cutoff.
// Source: Allen, Tildesley, Computer Simulation of Liquids, 2nd ed. (2017), equations 1.6 and 1.9.
// Units: bohr, hartree, e.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/vec3.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct ExceptionResult {
  double lennard_jones = 0;
  double coulomb = 0;
  Vec3 force;  // on the first atom
};

/// `d` is the vector from the second atom to the first, nearest image.
inline ExceptionResult exception_pair(const Vec3& d, double charge_product, double sigma,
                                      double epsilon) noexcept {
  const double inverse2 = 1.0 / dot(d, d);
  const double s2 = sigma * sigma * inverse2;
  const double s6 = s2 * s2 * s2;
  const double coulomb = charge_product * std::sqrt(inverse2);
  const double repulsion = 4.0 * epsilon * s6 * s6;
  const double attraction = 4.0 * epsilon * s6;
  const double pull = (12.0 * repulsion - 6.0 * attraction + coulomb) * inverse2;
  return {repulsion - attraction, coulomb, pull * d};
}

/// Left out of the pair kernel and computed by itself instead. All zero: only left out.
struct ExceptionPair {
  static constexpr std::string_view name = "an exception", names_of_many = "exceptions",
                                    table = "/exceptions", energy = "exception";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 2> atoms{};
  double charge_product = 0;
  double sigma = 0;
  double epsilon = 0;

  static constexpr auto columns() {
    return std::tuple{column("charge_product", &ExceptionPair::charge_product, -1e7, 1e7),
                      column("sigma", &ExceptionPair::sigma, 0, 1e7),
                      column("epsilon", &ExceptionPair::epsilon, 0, 1e7)};
  }
  bool counts() const noexcept { return charge_product != 0 || epsilon != 0; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 3> lane_parameters() const noexcept {
    return {charge_product, sigma, epsilon};
  }

  struct Kernel {
    double charge_product, sigma, epsilon;
    Kernel(const ExceptionPair& t, const NoTables& /*none*/) noexcept
        : charge_product(t.charge_product), sigma(t.sigma), epsilon(t.epsilon) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 d = atoms.between(0, 1);
      const ExceptionResult r = exception_pair(d, charge_product, sigma, epsilon);
      add_pair(atoms, d, r.lennard_jones + r.coulomb, r.force);
    }
  };
};
static_assert(BondedTerm<ExceptionPair>);

}  // namespace fg
