// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/torus_mesh.hpp"

#include <cstddef>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "topology/placement/snake_order.hpp"

namespace fg::topology {

namespace {

void require_inside(const Coordinates& nodes, std::span<const int> lengths) {
  for (int node = 0; node < nodes.nodes(); ++node)
    for (int d = 0; d < nodes.dimensions(); ++d)
      if (const int at = nodes.at(node, d), length = lengths[static_cast<std::size_t>(d)];
          at < 0 || at >= length)
        throw InputError({.what = "a node is outside of the torus",
                          .where = "node " + std::to_string(node) + ", dimension " +
                                   std::to_string(d + 1) + " of " +
                                   std::to_string(nodes.dimensions()),
                          .value = std::to_string(at),
                          .limit = "0 to " + std::to_string(length - 1),
                          .hint = "correct the coordinates or the lengths of the torus"});
}

std::vector<int> occupied_positions(const Coordinates& nodes, int dimension, int length) {
  std::vector<bool> occupied(static_cast<std::size_t>(length));
  for (int node = 0; node < nodes.nodes(); ++node)
    occupied[static_cast<std::size_t>(nodes.at(node, dimension))] = true;
  std::vector<int> positions;
  for (int i = 0; i < length; ++i)
    if (occupied[static_cast<std::size_t>(i)]) positions.push_back(i);
  return positions;
}

}  // namespace

int start_after_gap(std::span<const int> occupied, int length, bool wraps) {
  int start = occupied[0];
  if (!wraps) return start;
  int largest = occupied[0] + length - occupied.back();
  for (std::size_t i = 1; i < occupied.size(); ++i)
    if (const int distance = occupied[i] - occupied[i - 1]; distance > largest) {
      largest = distance;
      start = occupied[i];
    }
  return start;
}

TorusMesh mesh_from_torus(const Coordinates& nodes, std::span<const int> lengths,
                          const std::vector<bool>& wraps) {
  const auto dimensions = static_cast<std::size_t>(nodes.dimensions());
  FG_CHECK(lengths.size() == dimensions && wraps.size() == dimensions);
  require_inside(nodes, lengths);
  if (nodes.nodes() == 0) return {};
  Coordinates shifted = nodes;
  std::vector<int> shifts;
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto positions = occupied_positions(nodes, static_cast<int>(d), lengths[d]);
    shifts.push_back(start_after_gap(positions, lengths[d], wraps[d]));
    for (int node = 0; node < nodes.nodes(); ++node)
      shifted.of(node)[d] = (nodes.of(node)[d] - shifts[d] + lengths[d]) % lengths[d];
  }
  std::vector<int> all(static_cast<std::size_t>(nodes.nodes()));
  std::iota(all.begin(), all.end(), 0);
  const std::vector<int> spans = spans_of(shifted, all);
  TorusMesh mesh{.nodes = Coordinates(nodes.nodes(), nodes.dimensions()),
                 .dimensions = longest_first(spans)};
  for (std::size_t d = 0; d < dimensions; ++d) {
    const auto from = static_cast<std::size_t>(mesh.dimensions[d]);
    mesh.shifts.push_back(shifts[from]);
    mesh.spans.push_back(spans[from]);
    for (int node = 0; node < nodes.nodes(); ++node)
      mesh.nodes.of(node)[d] = shifted.of(node)[from];
  }
  return mesh;
}

}  // namespace fg::topology
