// SPDX-License-Identifier: BSD-3-Clause
//
// Places on a torus near what an object talks with, as in Bohm et al., IBM J. Res. Dev. 52, 159
// (2008), section "Mapping challenges": pair calculators near the centroid of their orbitals, in
// the prism of these; tiles of matrices on the pair calculator that is nearest to the others, each
// on another node if there are enough. Nodes are PEs.
//
// Parts of the density stay in the prism of their points, spread along it. At the centroid of their
// points, as in the paper, their transforms put more on the heaviest link.
#pragma once

#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/places/torus_way.hpp"

namespace fg::ab_initio {

// All places are PEs by index, the last one fastest (object_places.hpp).

std::vector<int> pairs_near(const Basis& basis, const TorusWay& torus,
                            const std::vector<int>& orbitals);
/// The first tile stays on PE 0.
std::vector<int> tiles_near(const Basis& basis, const MatrixTiles& tiles, const TorusWay& torus,
                            const std::vector<int>& pairs);

}  // namespace fg::ab_initio
