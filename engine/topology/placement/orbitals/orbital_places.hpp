// SPDX-License-Identifier: BSD-3-Clause
//
// The maps of Bohm et al., IBM J. Res. Dev. 52, 159 (2008), section "Mapping challenges". Parts of
// orbitals with the same plane are in one prism of a 3-D torus, those of one orbital in a layer
// across the prisms. All else is placed by hops to what it talks with.
#pragma once

#include <array>
#include <vector>

namespace fg::topology {

/// The objects to be placed.
struct OrbitalCounts {
  int states = 1;
  int planes = 1;           // of coefficients, G(s, p); also the number of prisms
  int real_planes = 1;      // of orbitals in real space, R(s, q), and of the density
  int blocks = 1;           // of states, for their overlaps
  int density_columns = 1;  // of coefficients of the density
};

/// The node of each object; nodes are numbered with the first side fastest. The last index is
/// fastest.
struct OrbitalPlaces {
  std::vector<int> coefficients;     // [states][planes] G(s, p)
  std::vector<int> real;             // [states][real_planes] R(s, q), on the nodes of G(s, *)
  std::vector<int> overlaps;         // [blocks][blocks][planes] near the centroid of their G, in
                                     // the prism
  std::vector<int> ortho;            // [blocks][blocks] on the overlap nearest to the others
  std::vector<int> density;          // [real_planes] near the centroid of R(*, q), each on another
                                     // node if there are enough
  std::vector<int> density_columns;  // near those of the density, but not on them
  std::vector<int> nonlocal;         // [states][real_planes] on the nodes of G(s, *) that have no
                                     // density, if there are any
};

/// Throws InputError if the torus cannot be tiled by as many prisms as there are planes, in any
/// direction. The first direction that can be is taken, z before y before x.
OrbitalPlaces orbital_places(const OrbitalCounts& counts, const std::array<int, 3>& sides);

}  // namespace fg::topology
