// SPDX-License-Identifier: BSD-3-Clause
//
// A network of switches with any connections. A message takes all shortest ways, each with the same
// share: two cables between the same switches are two ways.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/machines/description.hpp"
#include "topology/machines/machine.hpp"

namespace fg::topology {

/// The distances between all switches are kept: 2 bytes for each pair.
constexpr int most_switches_of_graph = 8192;

class Graph final : public Machine {
 public:
  /// The description has been checked (make_machine.hpp), and the network is connected.
  Graph(MachineParts parts, const GraphDescription& description);

  int router_hops(int from, int to) const override { return distance(from, to); }
  void router_route(int from, int to, std::vector<LinkShare>& out) const override;
  std::string router_name(int router) const override;

 private:
  struct Neighbour {
    int other;
    int link;
    double cables;
  };

  std::uint16_t distance(int from, int to) const noexcept {
    return distances_[as_index(from) * as_index(routers()) + as_index(to)];
  }
  void measure_from(int start);

  std::vector<std::string> names_;
  std::vector<std::vector<Neighbour>> neighbours_;
  std::vector<std::uint16_t> distances_;
};

}  // namespace fg::topology
