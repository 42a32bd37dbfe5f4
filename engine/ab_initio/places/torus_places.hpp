// SPDX-License-Identifier: BSD-3-Clause
//
// Places on a torus near what an object exchanges data with, as in Bohm et al., IBM J. Res. Dev.
// 52, 159 (2008), section "Mapping challenges". Pair calculators are near the centroid of their
// orbitals, in the prism of these. A tile of matrices is with that of its pair calculators which is
// nearest to the others. Each tile is on another node if there are enough. Nodes are PEs.
//
// Parts of the density stay in the prism of their points, spread along it. The paper puts them at
// the centroid of their points. There, their transforms put more on the heaviest link.
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
