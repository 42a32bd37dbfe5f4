// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/make_machine.hpp"

#include <map>
#include <utility>

#include "topology/machines/checks.hpp"
#include "topology/machines/dragonfly.hpp"
#include "topology/machines/fat_tree.hpp"
#include "topology/machines/graph.hpp"
#include "topology/machines/torus.hpp"
#include "topology/machines/torus_places.hpp"

namespace fg::topology {

namespace {

std::vector<bool> missing_of(const MachineDescription& description, int complete) {
  std::vector<bool> missing(static_cast<std::size_t>(complete));
  for (const int node : description.missing_nodes) missing[static_cast<std::size_t>(node)] = true;
  return missing;
}

MachineParts common_parts(const MachineDescription& description) {
  return {.name = description.name,
          .injection = description.injection,
          .node = description.node,
          .processor = description.processor};
}

/// Nodes with a cable to their switch, and one coordinate: their number in the complete machine.
MachineParts switched_parts(const MachineDescription& description, int switches,
                            const std::vector<int>& switch_of_node) {
  MachineParts parts = common_parts(description);
  const int complete = static_cast<int>(switch_of_node.size());
  const std::vector<bool> missing = missing_of(description, complete);
  std::vector<int> usable;
  for (int node = 0; node < complete; ++node)
    if (!missing[static_cast<std::size_t>(node)]) usable.push_back(node);
  parts.routers = switches;
  parts.nodes_have_links = true;
  parts.dimensions = {{complete, false}};
  parts.coordinates = Coordinates(static_cast<int>(usable.size()), 1);
  for (std::size_t i = 0; i < usable.size(); ++i) {
    parts.router_of_node.push_back(switch_of_node[static_cast<std::size_t>(usable[i])]);
    parts.coordinates.of(static_cast<int>(i))[0] = usable[i];
  }
  return parts;
}

/// Switches that have the same number of nodes each, the first ones.
std::vector<int> equal_switches(long long nodes, int nodes_per_switch) {
  std::vector<int> of_node;
  of_node.reserve(static_cast<std::size_t>(nodes));
  for (int node = 0; node < nodes; ++node) of_node.push_back(node / nodes_per_switch);
  return of_node;
}

/// The routers of the usable nodes, in the order of the job or of the machine.
std::vector<int> usable_nodes(const MachineDescription& description, const TorusDescription& torus,
                              const TorusPlaces& places) {
  const int of_each = torus.nodes_per_router;
  const std::vector<bool> missing = missing_of(description, places.routers() * of_each);
  std::vector<int> free(static_cast<std::size_t>(places.routers()));
  std::vector<int> order;
  for (int place = 0; place < places.routers(); ++place) {
    order.push_back(places.in_order(place, torus.order));
    for (int i = 0; i < of_each; ++i)
      if (!missing[static_cast<std::size_t>(place * of_each + i)])
        ++free[static_cast<std::size_t>(order.back())];
  }
  for (const Hole& hole : torus.holes)
    free[static_cast<std::size_t>(places.router(hole.coordinates))] = 0;
  std::vector<int> nodes;
  if (torus.job.empty())
    for (const int router : order)
      nodes.insert(nodes.end(), static_cast<std::size_t>(free[static_cast<std::size_t>(router)]),
                   router);
  for (const std::vector<int>& place : torus.job) {
    const int router = places.router(place);
    if (free[static_cast<std::size_t>(router)]-- > 0) nodes.push_back(router);
  }
  return nodes;
}

std::unique_ptr<const Machine> make(const MachineDescription& description,
                                    const TorusDescription& torus, Problems& problems) {
  const TorusPlaces places(torus);
  MachineParts parts = common_parts(description);
  parts.routers = places.routers();
  parts.router_of_node = usable_nodes(description, torus, places);
  if (parts.router_of_node.empty() ||
      (!torus.job.empty() && parts.router_of_node.size() != torus.job.size())) {
    problems.add({.what = "nodes of the job are missing, or all nodes are",
                  .value = std::to_string(parts.router_of_node.size()) + " usable nodes",
                  .limit = torus.job.empty() ? "1 or more" : std::to_string(torus.job.size()),
                  .hint = "name only missing nodes that the job does not use"});
    return nullptr;
  }
  const int nodes = static_cast<int>(parts.router_of_node.size());
  parts.coordinates = Coordinates(nodes, places.axes());
  for (int node = 0; node < nodes; ++node) {
    const std::vector<int> at =
        places.coordinates(parts.router_of_node[static_cast<std::size_t>(node)]);
    std::copy(at.begin(), at.end(), parts.coordinates.of(node).begin());
  }
  for (int axis = 0; axis < places.axes(); ++axis)
    parts.dimensions.push_back({places.length(axis), places.wraps(axis)});
  auto machine = std::make_unique<Torus>(std::move(parts), torus);
  check_connected(*machine, problems);
  return machine;
}

std::unique_ptr<const Machine> make(const MachineDescription& description,
                                    const FatTreeDescription& tree, Problems&) {
  long long nodes = 1;
  for (const int down : tree.down) nodes *= down;
  return std::make_unique<FatTree>(switched_parts(description, static_cast<int>(switches_of(tree)),
                                                  equal_switches(nodes, tree.down.front())),
                                   tree);
}

std::unique_ptr<const Machine> make(const MachineDescription& description,
                                    const DragonflyDescription& dragonfly, Problems&) {
  const int routers = dragonfly.groups * dragonfly.routers_per_group;
  return std::make_unique<Dragonfly>(
      switched_parts(
          description, routers,
          equal_switches(routers * dragonfly.nodes_per_router, dragonfly.nodes_per_router)),
      dragonfly);
}

std::unique_ptr<const Machine> make(const MachineDescription& description,
                                    const GraphDescription& graph, Problems&) {
  return std::make_unique<Graph>(switched_parts(description, graph.switches, graph.switch_of_node),
                                 graph);
}

}  // namespace

std::unique_ptr<const Machine> make_machine(const MachineDescription& description) {
  Problems problems("the machine '" + description.name + "'");
  const long long complete = std::visit(
      [&](const auto& network) { return check(network, problems); }, description.network);
  check_common(description, complete, problems);
  problems.refuse_if_any();
  auto machine =
      std::visit([&](const auto& network) { return make(description, network, problems); },
                 description.network);
  problems.refuse_if_any();
  return machine;
}

}  // namespace fg::topology
