// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/torus_places.hpp"

#include <algorithm>
#include <cstddef>

#include "topology/placement/torus_nodes.hpp"

namespace fg::ab_initio {

namespace {

std::size_t index(int i) {
  return static_cast<std::size_t>(i);
}

/// The nodes of each part of the waves, ascending. If there are at least as many nodes as parts,
/// these include nodes without orbitals. Such a node belongs to a part by its place on the way
/// through the prisms.
std::vector<std::vector<int>> nodes_of_parts(const Basis& basis, const TorusWay& torus,
                                             const std::vector<int>& orbitals) {
  const int parts = basis.parts(), count = torus.size();
  std::vector<std::vector<int>> nodes(index(parts));
  for (int part = 0; part < parts; ++part)
    for (int block = 0; block < basis.blocks(); ++block)
      nodes[index(part)].push_back(orbitals[index(block * parts + part)]);
  if (count >= parts)
    for (int place = 0; place < count; ++place)
      nodes[index(static_cast<int>(std::int64_t{place} * parts / count))].push_back(
          torus.node(place));
  for (auto& one : nodes) {
    std::ranges::sort(one);
    one.erase(std::ranges::unique(one).begin(), one.end());
  }
  return nodes;
}

}  // namespace

std::vector<int> pairs_near(const Basis& basis, const TorusWay& torus,
                            const std::vector<int>& orbitals) {
  const topology::TorusNodes& nodes = torus.nodes();
  const auto nodes_of_part = nodes_of_parts(basis, torus, orbitals);
  const int blocks = basis.blocks(), parts = basis.parts(), groups = basis.pair_groups();
  const int chunks = basis.chunks_in_part();
  std::vector<int> pairs(index(blocks * groups * basis.chunks()));
  for (int part = 0; part < parts; ++part) {
    const std::vector<int>& near = nodes_of_part[index(part)];
    const auto at = [&](int block) { return orbitals[index(block * parts + part)]; };
    const auto most = (index(blocks * groups * chunks) + near.size() - 1) / near.size();
    std::vector<std::size_t> on(index(nodes.size()));
    for (int group = 0; group < groups; ++group)
      for (int block = 0; block < blocks; ++block) {
        std::vector<int> partners{at(block)};
        const fft::Range rows = basis.group(group);
        for (int other = rows.begin; other < rows.end; ++other) partners.push_back(at(other));
        const std::vector<int> sorted = nodes.nearest_first(near, partners);
        for (int chunk = 0; chunk < chunks; ++chunk) {
          const int node =
              *std::ranges::find_if(sorted, [&](int one) { return on[index(one)] < most; });
          ++on[index(node)];
          pairs[index((block * groups + group) * basis.chunks() + part * chunks + chunk)] = node;
        }
      }
  }
  return pairs;
}

std::vector<int> tiles_near(const Basis& basis, const MatrixTiles& tiles, const TorusWay& torus,
                            const std::vector<int>& pairs) {
  const topology::TorusNodes& nodes = torus.nodes();
  const int side = tiles.side();
  std::vector<std::vector<int>> partners(index(side * side));
  const MatrixPieces pieces(basis, basis.pair_groups(), tiles);
  for (const MatrixPiece& piece : pieces.all())
    for (int chunk = 0; chunk < basis.chunks(); ++chunk)
      partners[index(piece.tile_row * side + piece.tile_column)].push_back(
          pairs[index((piece.block * basis.pair_groups() + piece.group) * basis.chunks() + chunk)]);
  std::vector<int> places{0};
  for (int tile = 1; tile < side * side; ++tile) {
    std::vector<int> near = partners[index(tile)];
    std::ranges::sort(near);
    near.erase(std::ranges::unique(near).begin(), near.end());
    places.push_back(nodes.nearest(topology::excluding(near, places, 1), partners[index(tile)]));
  }
  return places;
}

}  // namespace fg::ab_initio
