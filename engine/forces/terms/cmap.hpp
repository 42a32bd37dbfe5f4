// SPDX-License-Identifier: BSD-3-Clause
//
// A CMAP term: an energy that depends on two dihedrals, phi of atoms 1 to 4 and psi of atoms 2 to
// 5. The energy is the smooth surface through a map (cmap_maps.hpp). Five atoms are enough, because
// all force fields use neighbouring dihedrals of a chain. The readers refuse maps of other pairs.
// Source: MacKerell, Feig, Brooks, J. Comput. Chem. 25, 1400 (2004), doi:10.1002/jcc.20065. Units:
// bohr, hartree, radians.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "forces/terms/cmap_maps.hpp"
#include "forces/terms/dihedral.hpp"
#include "forces/terms/term.hpp"

namespace fg {

struct Cmap {
  static constexpr std::string_view name = "a CMAP term", names_of_many = "CMAP terms",
                                    table = "/cmaps", energy = "cmap";
  static constexpr bool always_reported = false;
  using Shared = CmapMaps;
  std::array<std::int32_t, 5> atoms{};
  std::int32_t map = 0;

  static constexpr auto columns() { return std::tuple{column("map", &Cmap::map, 0, 1e7)}; }
  static constexpr bool counts() noexcept { return true; }

  struct Kernel {
    const CmapSurface* surface;
    Kernel(const Cmap& t, const CmapSurfaces& surfaces) noexcept : surface(&surfaces.of(t.map)) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Dihedral phi = dihedral_of(atoms), psi = dihedral_of(atoms, 1);
      const CmapResult r = surface->at(phi.angle(), psi.angle());
      atoms.add_energy(r.energy);
      add_dihedral(atoms, phi, phi.forces(r.by_first));
      add_dihedral(atoms, psi, psi.forces(r.by_second), 1);
    }
  };
};
static_assert(BondedTerm<Cmap>);

}  // namespace fg
