// SPDX-License-Identifier: BSD-3-Clause
//
// A torus whose nodes are passed prism by prism, as in torus_prisms.hpp. Prisms lie along the side
// for which the nodes of a prism are nearest to each other. Inside a prism, blocks of orbitals go
// to pair calculators, and densities of orbitals to their part of the density.
#pragma once

#include <array>

#include "topology/placement/torus_nodes.hpp"
#include "topology/torus_prisms.hpp"

namespace fg::ab_initio {

class TorusWay {
 public:
  /// Prisms along the third side must be possible; nodes are numbered with the first side fastest.
  TorusWay(const std::array<int, 3>& sides, int prisms);

  int size() const noexcept { return prisms_.nodes(); }
  /// The node at a place of the way.
  int node(int place) const noexcept;
  const topology::TorusNodes& nodes() const noexcept { return nodes_; }

 private:
  std::array<int, 3> sides_;
  std::size_t axis_ = 2;  // along the prisms
  TorusPrisms prisms_;    // the third side is this axis
  topology::TorusNodes nodes_;
};

}  // namespace fg::ab_initio
