// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/orbitals/orbital_places.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>
#include <span>
#include <string>

#include "base/error.hpp"
#include "topology/placement/orbitals/torus_nodes.hpp"
#include "topology/torus_prisms.hpp"

namespace fg::topology {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

TorusNodes all_nodes(const std::array<int, 3>& sides) {
  Coordinates nodes(sides[0] * sides[1] * sides[2], 3);
  for (int node = 0; node < nodes.nodes(); ++node) {
    const std::array at{node % sides[0], node / sides[0] % sides[1], node / sides[0] / sides[1]};
    std::ranges::copy(at, nodes.of(node).begin());
  }
  return {std::move(nodes), {sides.begin(), sides.end()}, {true, true, true}};
}

/// The nodes of each prism, in the order of states.
std::vector<std::vector<int>> prisms_of(const std::array<int, 3>& sides, int prisms) {
  for (const std::size_t axis : {2u, 1u, 0u}) {
    // The axis along the prisms is the last one of these sides.
    std::array<int, 3> turned = sides;
    std::swap(turned[axis], turned[2]);
    const TorusPrisms torus(turned, prisms);
    if (!torus.valid()) continue;
    const int size = torus.nodes() / prisms;
    std::vector<std::vector<int>> nodes(index(prisms));
    for (int place = 0; place < torus.nodes(); ++place) {
      const int node = torus.node(place);
      std::array at{node % turned[0], node / turned[0] % turned[1], node / turned[0] / turned[1]};
      std::swap(at[axis], at[2]);
      nodes[index(place / size)].push_back(at[0] + sides[0] * (at[1] + sides[1] * at[2]));
    }
    return nodes;
  }
  throw InputError({.what = "the torus cannot be tiled by prisms",
                    .value = std::to_string(prisms) + " planes",
                    .limit = "a number of equal rectangles that fill one side of the torus of " +
                             std::to_string(sides[0]) + " x " + std::to_string(sides[1]) + " x " +
                             std::to_string(sides[2]) + " nodes",
                    .hint = "choose the number of planes as a product of parts of two sides"});
}

/// Element `i` of `count` that are spread in order over a row of nodes.
int along(const std::vector<int>& row, int i, int count) {
  return row[index(i) * row.size() / index(count)];
}

class Placing {
 public:
  Placing(const OrbitalCounts& counts, const std::array<int, 3>& sides)
      : n_(counts), nodes_(all_nodes(sides)), prisms_(prisms_of(sides, counts.planes)) {
    for (int node = 0; node < nodes_.size(); ++node) all_.push_back(node);
    place_orbitals();
    place_overlaps();
    place_density();
    place_nonlocal();
  }
  OrbitalPlaces take() { return std::move(places_); }

 private:
  int coefficients(int s, int p) const { return places_.coefficients[index(s * n_.planes + p)]; }

  /// The nodes of G(s, *), each once, ordered along the torus.
  std::vector<int> nodes_of(int s) const {
    std::vector<int> nodes;
    nodes.reserve(index(n_.planes));
    for (int p = 0; p < n_.planes; ++p) nodes.push_back(coefficients(s, p));
    std::ranges::sort(nodes);
    nodes.erase(std::ranges::unique(nodes).begin(), nodes.end());
    return nodes;
  }

  void place_orbitals() {
    for (int s = 0; s < n_.states; ++s)
      for (int p = 0; p < n_.planes; ++p)
        places_.coefficients.push_back(along(prisms_[index(p)], s, n_.states));
    for (int s = 0; s < n_.states; ++s) {
      const std::vector<int> here = nodes_of(s);
      for (int q = 0; q < n_.real_planes; ++q)
        places_.real.push_back(along(here, q, n_.real_planes));
    }
  }

  void place_overlaps() {
    const int tiles = n_.blocks * n_.blocks;
    places_.overlaps.resize(index(tiles * n_.planes));
    for (int p = 0; p < n_.planes; ++p) {
      const std::vector<int>& prism = prisms_[index(p)];
      const std::size_t most = (index(tiles) + prism.size() - 1) / prism.size();
      std::vector<std::size_t> on(index(nodes_.size()));
      for (int tile = 0; tile < tiles; ++tile) {
        std::vector<int> partners;
        for (const int block : {tile / n_.blocks, tile % n_.blocks})
          for (int s = block * n_.states / n_.blocks; s < (block + 1) * n_.states / n_.blocks; ++s)
            partners.push_back(coefficients(s, p));
        for (const int node : nodes_.nearest_first(prism, partners)) {
          if (on[index(node)] == most) continue;
          ++on[index(node)];
          places_.overlaps[index(tile * n_.planes + p)] = node;
          break;
        }
      }
    }
    for (int tile = 0; tile < tiles; ++tile) {
      const auto overlaps =
          std::span(places_.overlaps).subspan(index(tile * n_.planes), index(n_.planes));
      places_.ortho.push_back(nodes_.nearest(overlaps, overlaps));
    }
  }

  void place_density() {
    for (int q = 0; q < n_.real_planes; ++q) {
      std::vector<int> partners;
      partners.reserve(index(n_.states));
      for (int s = 0; s < n_.states; ++s)
        partners.push_back(places_.real[index(s * n_.real_planes + q)]);
      // Nodes that are equally near are taken from another part of the torus for each plane.
      std::vector<int> nodes = excluding(all_, places_.density, 1);
      const std::size_t first = index(q) * nodes.size() / index(n_.real_planes);
      std::ranges::rotate(nodes, nodes.begin() + static_cast<std::ptrdiff_t>(first));
      places_.density.push_back(nodes_.nearest(nodes, partners));
    }
    const std::vector<int> free = excluding(all_, places_.density, 1);
    const std::vector<int> near = nodes_.nearest_first(free, places_.density);
    for (int i = 0; i < n_.density_columns; ++i)
      places_.density_columns.push_back(near[index(i) % near.size()]);
  }

  void place_nonlocal() {
    for (int s = 0; s < n_.states; ++s) {
      const std::vector<int> here = excluding(nodes_of(s), places_.density, 1);
      for (int q = 0; q < n_.real_planes; ++q)
        places_.nonlocal.push_back(along(here, q, n_.real_planes));
    }
  }

  OrbitalCounts n_;
  TorusNodes nodes_;
  std::vector<std::vector<int>> prisms_;
  std::vector<int> all_;
  OrbitalPlaces places_;
};

}  // namespace

OrbitalPlaces orbital_places(const OrbitalCounts& counts, const std::array<int, 3>& sides) {
  return Placing(counts, sides).take();
}

}  // namespace fg::topology
