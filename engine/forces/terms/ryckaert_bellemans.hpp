// SPDX-License-Identifier: BSD-3-Clause
//
// A Ryckaert-Bellemans torsion: E = sum over n = 0 to 5 of c_n cos^n(psi), psi = phi - pi (0 for
// trans). Source: Ryckaert, Bellemans, Faraday Discuss. Chem. Soc. 66, 95 (1978),
// doi:10.1039/DC9786600095.
// Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "forces/terms/dihedral.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct RyckaertBellemans {
  static constexpr std::string_view name = "a Ryckaert-Bellemans torsion",
                                    names_of_many = "Ryckaert-Bellemans torsions",
                                    table = "/ryckaert_bellemans", energy = "torsion";
  static constexpr bool always_reported = true;
  using Shared = NothingShared;
  std::array<std::int32_t, 4> atoms{};
  double c0 = 0, c1 = 0, c2 = 0, c3 = 0, c4 = 0, c5 = 0;

  static constexpr auto columns() {
    using This = RyckaertBellemans;
    return std::tuple{column("c0", &This::c0, -1e7, 1e7), column("c1", &This::c1, -1e7, 1e7),
                      column("c2", &This::c2, -1e7, 1e7), column("c3", &This::c3, -1e7, 1e7),
                      column("c4", &This::c4, -1e7, 1e7), column("c5", &This::c5, -1e7, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }
  /// The parameters of the kernel in term_lanes-inl.hpp.
  std::array<double, 6> lane_parameters() const noexcept { return {c0, c1, c2, c3, c4, c5}; }

  struct Kernel {
    std::array<double, 6> c;
    Kernel(const RyckaertBellemans& t, const NoTables& /*none*/) noexcept
        : c{t.c0, t.c1, t.c2, t.c3, t.c4, t.c5} {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Dihedral phi = dihedral_of(atoms);
      const double x = -phi.cosine;  // cos(psi)
      double energy = c[5], by_x = 0;
      for (int n = 4; n >= 0; --n) {
        by_x = by_x * x + energy;
        energy = energy * x + c[n];
      }
      atoms.add_energy(energy);
      add_dihedral(atoms, phi, phi.forces(by_x * phi.sine));  // d x / d phi = sin(phi)
    }
  };
};
static_assert(BondedTerm<RyckaertBellemans>);

}  // namespace fg
