// SPDX-License-Identifier: BSD-3-Clause
#include "topology/placement/partitions.hpp"

#include <cstddef>
#include <numeric>
#include <string>

#include "base/error.hpp"
#include "topology/placement/hilbert_order.hpp"
#include "topology/placement/snake_order.hpp"

namespace fg::topology {

namespace {

void divide(const Coordinates& mesh, std::span<int> ranks, int first, int count,
            std::vector<int>& partition_of) {
  if (count == 1) {
    for (const int rank : ranks) partition_of[static_cast<std::size_t>(rank)] = first;
    return;
  }
  sort_in_snake_order(mesh, longest_first(spans_of(mesh, ranks)), ranks);
  const int below = count / 2;
  const std::size_t ranks_below =
      ranks.size() * static_cast<std::size_t>(below) / static_cast<std::size_t>(count);
  divide(mesh, ranks.first(ranks_below), first, below, partition_of);
  divide(mesh, ranks.subspan(ranks_below), first + below, count - below, partition_of);
}

}  // namespace

std::vector<int> compact_partitions(const Coordinates& mesh, int partitions) {
  FG_CHECK(partitions >= 1);
  if (mesh.nodes() < partitions)
    throw InputError({.what = "there are fewer ranks than partitions",
                      .value = std::to_string(mesh.nodes()) + " ranks",
                      .limit = "at least " + std::to_string(partitions),
                      .hint = "start more ranks or ask for fewer partitions"});
  std::vector<int> ranks(static_cast<std::size_t>(mesh.nodes())), partition_of(ranks.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  divide(mesh, ranks, 0, partitions, partition_of);
  return partition_of;
}

std::vector<std::vector<int>> ranks_of_partitions(const Coordinates& mesh,
                                                  std::span<const int> partition_of,
                                                  int partitions) {
  std::vector<std::vector<int>> ranks(static_cast<std::size_t>(partitions));
  for (std::size_t rank = 0; rank < partition_of.size(); ++rank)
    ranks.at(static_cast<std::size_t>(partition_of[rank])).push_back(static_cast<int>(rank));
  for (std::vector<int>& here : ranks) sort_in_hilbert_order(mesh, here);
  return ranks;
}

}  // namespace fg::topology
