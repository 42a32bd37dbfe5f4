// SPDX-License-Identifier: BSD-3-Clause
//
// A machine in plain numbers, as files and lists of known machines give it. make_machine.hpp checks
// it and makes the machine.
#pragma once

#include <string>
#include <variant>
#include <vector>

#include "topology/machines/speed.hpp"

namespace fg::topology {

/// A place of a torus that the job has no node at. Its router still works if only its nodes are
/// down, do I/O or belong to another job. A router that is gone takes no messages at all.
struct Hole {
  std::vector<int> coordinates{};
  bool router_gone = false;
};

enum class NodeOrder { last_coordinate_fastest, first_coordinate_fastest };

/// A torus or a mesh with any number of dimensions, and a router at each place.
struct TorusDescription {
  std::vector<int> lengths{};
  std::vector<bool> wraps{};    // one a dimension; empty: all wrap
  std::vector<Speed> speeds{};  // one a dimension, or one for all
  std::string axes{};           // a letter a dimension; empty: XYZ, or from A on if there are more
  int nodes_per_router = 1;
  NodeOrder order = NodeOrder::last_coordinate_fastest;
  std::vector<Hole> holes{};
  /// The coordinates of the job's nodes in its own order; empty: all that are not missing. A place
  /// occurs once for each of its nodes that the job has.
  std::vector<std::vector<int>> job{};
};

/// Switches in levels. A switch of level l + 1 is connected to `down[l]` of the parts below it. A
/// switch of level l is connected to `up[l - 1]` different switches above it, by `cables[l - 1]`
/// cables each. With 40 nodes and 20 uplinks the network tapers 2:1.
struct FatTreeDescription {
  std::vector<int> down{};      // nodes a leaf switch, leaf switches a pod, ...
  std::vector<int> up{};        // one less than `down`
  std::vector<int> cables{};    // one less than `down`; empty: 1
  std::vector<Speed> speeds{};  // of a cable, for each level of `up`, or one for all
};

/// Groups of routers. All routers of a group are connected with each other, and each two groups by
/// the same number of global links.
struct DragonflyDescription {
  int groups = 0, routers_per_group = 0, nodes_per_router = 0;
  int links_per_pair_of_groups = 1;
  Speed local{}, global{};
};

/// Several cables between two switches are one link that is as many times as fast.
struct Cable {
  int a = 0, b = 0;  // switches
  int number = 1;
  Speed speed{};  // of each
};

/// Switches with any connections.
struct GraphDescription {
  int switches = 0;
  std::vector<Cable> cables{};
  std::vector<int> switch_of_node{};
  std::vector<std::string> names{};  // of switches; empty: "switch 0" and so on
};

struct MachineDescription {
  std::string name = "machine";
  std::variant<TorusDescription, FatTreeDescription, DragonflyDescription, GraphDescription>
      network{};
  /// By their numbers in the complete machine.
  std::vector<int> missing_nodes{};
  Speed injection{};
  NodeShape node{};
  Processor processor{};
};

}  // namespace fg::topology
