// SPDX-License-Identifier: BSD-3-Clause
#include "topology/ranks/rank_graph.hpp"

#include <algorithm>
#include <tuple>

namespace fg::topology {

RankGraph::RankGraph(int ranks, std::span<const Traffic> traffic)
    : first_(static_cast<std::size_t>(ranks) + 1) {
  struct Edge {
    int from, to;
    std::int64_t bytes;
  };
  std::vector<Edge> edges;
  edges.reserve(2 * traffic.size());
  for (const Traffic& way : traffic) {
    if (way.from == way.to) continue;
    edges.push_back({way.from, way.to, way.bytes});
    edges.push_back({way.to, way.from, way.bytes});
  }
  std::ranges::sort(edges, {}, [](const Edge& edge) { return std::tuple(edge.from, edge.to); });
  for (std::size_t i = 0; i < edges.size(); ++i) {
    const Edge& edge = edges[i];
    if (i > 0 && edges[i - 1].from == edge.from && edges[i - 1].to == edge.to) {
      partners_.back().bytes += edge.bytes;
      continue;
    }
    partners_.push_back({edge.to, edge.bytes});
    ++first_[static_cast<std::size_t>(edge.from) + 1];
  }
  for (std::size_t r = 1; r < first_.size(); ++r) first_[r] += first_[r - 1];
}

}  // namespace fg::topology
