// SPDX-License-Identifier: BSD-3-Clause
//
// A mesh made of the nodes of a job on a torus. Each dimension is cut open at its largest gap. So
// nodes that are near each other across the wrap are near each other in the mesh, too. Source:
// Phillips et al., SC14, 81 (2014), section III.
#pragma once

#include <span>
#include <vector>

#include "topology/coordinates.hpp"

namespace fg::topology {

struct TorusMesh {
  Coordinates nodes;            // shifted, the dimension with the longest span first
  std::vector<int> dimensions;  // which one of the torus each was
  std::vector<int> shifts;      // what was subtracted there, modulo its length
  std::vector<int> spans;       // positions from the first to the last occupied one
};

/// The position of the torus that becomes 0: the first one past the largest gap between `occupied`
/// positions, the lowest of several. A dimension without a wrap begins at its first position.
/// `occupied` are not empty and in ascending order.
int start_after_gap(std::span<const int> occupied, int length, bool wraps);

/// Throws InputError for a coordinate outside of the torus.
TorusMesh mesh_from_torus(const Coordinates& nodes, std::span<const int> lengths,
                          const std::vector<bool>& wraps);

}  // namespace fg::topology
