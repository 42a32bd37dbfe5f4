// SPDX-License-Identifier: BSD-3-Clause
#include "classical/places/patch_orders.hpp"

#include <algorithm>
#include <cstddef>
#include <numeric>

#include "topology/placement/hilbert_order.hpp"
#include "topology/placement/patch_places.hpp"
#include "topology/placement/patch_points.hpp"

namespace fg::classical {

std::vector<int> index_order(const PatchGrid& grid) {
  std::vector<int> order(static_cast<std::size_t>(grid.size()));
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::vector<std::vector<int>> patch_orders(const PatchGrid& grid,
                                           std::span<const std::int64_t> loads,
                                           std::span<const std::int64_t> already,
                                           const topology::PeLayout& layout) {
  std::vector<int> hilbert = index_order(grid);
  topology::sort_in_hilbert_order(topology::patch_points(grid.shape()), hilbert);

  // PEs in the order of the row; hosts, too, are in a row.
  std::vector<topology::PePlace> pes;
  std::vector<int> hosts;
  for (const int pe : layout.pes_by_host()) {
    const int process = layout.process_of(pe);
    if (hosts.empty() || hosts.back() != layout.host_of(process))
      hosts.push_back(layout.host_of(process));
    pes.push_back({.host = static_cast<int>(hosts.size()) - 1,
                   .process = process,
                   .already = already[static_cast<std::size_t>(pe)]});
  }
  topology::Coordinates mesh(static_cast<int>(hosts.size()), 1);
  for (int host = 0; host < mesh.nodes(); ++host) mesh.of(host)[0] = host;

  std::vector<std::vector<int>> orders{index_order(grid)};
  for (const auto& way : topology::patch_candidates(grid.shape(), loads, pes, mesh)) {
    orders.push_back(hilbert);
    std::ranges::stable_sort(orders.back(), {},
                             [&](int patch) { return way.pe_of[static_cast<std::size_t>(patch)]; });
  }
  return orders;
}

}  // namespace fg::classical
