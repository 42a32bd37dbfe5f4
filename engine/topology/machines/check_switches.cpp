// SPDX-License-Identifier: BSD-3-Clause
//
// Checks of networks of switches.
#include <algorithm>
#include <numeric>
#include <set>

#include "topology/machines/checks.hpp"
#include "topology/machines/fat_tree.hpp"
#include "topology/machines/graph.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {

namespace {

/// The product of numbers, or a number that is too large by far.
long long product(const std::vector<int>& numbers) {
  long long all = 1;
  for (const int number : numbers)
    if (all <= most_links) all *= number;
  return all;
}

bool check_all_positive(const std::vector<int>& numbers, const std::string& what,
                        Problems& problems) {
  bool good = true;
  for (std::size_t i = 0; i < numbers.size(); ++i)
    good &= check_positive(numbers[i], what + " (entry " + std::to_string(i) + ")", problems);
  return good;
}

/// Whether the number is that of a switch; a problem if not.
bool check_switch(int number, const std::string& what, int switches, Problems& problems) {
  if (number >= 0 && number < switches) return true;
  problems.add({.what = what + " names a switch that does not exist",
                .value = "switch " + std::to_string(number),
                .limit = "0 to " + std::to_string(switches - 1),
                .hint = "count switches from 0"});
  return false;
}

/// Which switches are connected, by a forest that points to one switch of each part.
class Parts {
 public:
  explicit Parts(int switches) : above_(static_cast<std::size_t>(switches)) {
    std::iota(above_.begin(), above_.end(), 0);
  }
  int of(int one) {
    while (above(one) != one) one = above(one) = above(above(one));
    return one;
  }
  void join(int a, int b) { above(of(a)) = of(b); }

 private:
  int& above(int one) { return above_[static_cast<std::size_t>(one)]; }
  std::vector<int> above_;
};

void check_parts(const GraphDescription& graph, Parts parts, Problems& problems) {
  int lost = 0, first = -1;
  const int whole = parts.of(graph.switch_of_node.front());
  for (std::size_t node = 0; node < graph.switch_of_node.size(); ++node)
    if (parts.of(graph.switch_of_node[node]) != whole) {
      if (lost++ == 0) first = static_cast<int>(node);
    }
  if (lost > 0)
    problems.add({.what = "the network is not connected: no way from node 0 to node " +
                          std::to_string(first) + " at switch " +
                          std::to_string(graph.switch_of_node[static_cast<std::size_t>(first)]),
                  .value = std::to_string(lost) + " of " +
                           std::to_string(graph.switch_of_node.size()) + " nodes are not reached",
                  .limit = "all",
                  .hint = "add the missing cables, or leave out these nodes"});
}

bool check_cable(const Cable& cable, std::size_t number, int switches, Problems& problems) {
  const std::string name = "cable " + std::to_string(number);
  bool good = check_switch(cable.a, name, switches, problems);
  good &= check_switch(cable.b, name, switches, problems);
  if (good && cable.a == cable.b) {
    problems.add({.what = name + " connects a switch with itself",
                  .value = "switch " + std::to_string(cable.a),
                  .hint = "name two switches"});
    good = false;
  }
  check_positive(cable.number, "cables of " + name, problems);
  check_speed(cable.speed, name, problems);
  return good;
}

}  // namespace

long long check(const FatTreeDescription& tree, Problems& problems) {
  if (tree.down.empty()) {
    problems.add(
        {.what = "a fat tree has no levels",
         .value = "0",
         .limit = "1 or more",
         .hint = "give the nodes of a leaf switch, the leaf switches of a pod, and so on"});
    return 0;
  }
  const std::size_t steps = tree.down.size() - 1;
  bool good = check_all_positive(tree.down, "parts below a switch", problems);
  good &= check_all_positive(tree.up, "switches above a switch", problems);
  check_all_positive(tree.cables, "cables between switches", problems);
  if (tree.up.size() != steps) {
    problems.add({.what = "there is not one number of uplinks for each level but the last",
                  .value = std::to_string(tree.up.size()) + " numbers",
                  .limit = std::to_string(steps),
                  .hint = "give for each switch the number of switches above it"});
    good = false;
  }
  if (!tree.cables.empty() && tree.cables.size() != steps)
    problems.add({.what = "there is not one number of cables for each step between levels",
                  .value = std::to_string(tree.cables.size()) + " numbers",
                  .limit = std::to_string(steps),
                  .hint = "give as many numbers as uplinks, or none if each has one cable"});
  check_speeds(tree.speeds, steps, "steps between levels", problems);
  if (!good) return 0;
  const long long nodes = product(tree.down);
  // No level has more links than all parts below it times all uplinks to it.
  if (!check_size(nodes, 0, problems) || !check_size(0, product(tree.up), problems)) return 0;
  long long links = 2 * nodes;
  for (std::size_t level = 0; level < steps; ++level) {
    const auto at = static_cast<std::ptrdiff_t>(level);
    const long long below = product({tree.down.begin() + at + 1, tree.down.end()});
    links += 2 * below * product({tree.up.begin(), tree.up.begin() + at + 1});
  }
  return check_size(nodes, links, problems) ? nodes : 0;
}

long long check(const DragonflyDescription& dragonfly, Problems& problems) {
  bool good = check_positive(dragonfly.groups, "groups", problems);
  good &= check_positive(dragonfly.routers_per_group, "routers of a group", problems);
  good &= check_positive(dragonfly.nodes_per_router, "nodes of a router", problems);
  if (good && dragonfly.groups > 1)
    good &=
        check_positive(dragonfly.links_per_pair_of_groups, "links of a pair of groups", problems);
  check_speed(dragonfly.local, "a local link", problems);
  check_speed(dragonfly.global, "a global link", problems);
  if (!good) return 0;
  const long long nodes =
      product({dragonfly.groups, dragonfly.routers_per_group, dragonfly.nodes_per_router});
  const long long local =
      product({dragonfly.groups, dragonfly.routers_per_group, dragonfly.routers_per_group});
  const long long global = product(
      {dragonfly.groups, dragonfly.groups, std::max(dragonfly.links_per_pair_of_groups, 1)});
  return check_size(nodes, std::max(local, global), problems) ? nodes : 0;
}

long long check(const GraphDescription& graph, Problems& problems) {
  if (!check_positive(graph.switches, "switches", problems)) return 0;
  if (graph.switches > most_switches_of_graph) {
    problems.add({.what = "a network that is given as a list has too many switches",
                  .value = std::to_string(graph.switches),
                  .limit = std::to_string(most_switches_of_graph),
                  .hint = "describe it as a fat tree, a dragonfly or a torus"});
    return 0;
  }
  bool good =
      check_positive(static_cast<long long>(graph.switch_of_node.size()), "nodes", problems);
  if (!graph.names.empty() && graph.names.size() != static_cast<std::size_t>(graph.switches))
    problems.add({.what = "there is not one name for each switch",
                  .value = std::to_string(graph.names.size()) + " names",
                  .limit = std::to_string(graph.switches),
                  .hint = "give all names, or none"});
  for (std::size_t node = 0; node < graph.switch_of_node.size(); ++node)
    good &= check_switch(graph.switch_of_node[node], "node " + std::to_string(node), graph.switches,
                         problems);
  Parts parts(graph.switches);
  std::set<std::pair<int, int>> seen;
  for (std::size_t i = 0; i < graph.cables.size(); ++i) {
    const Cable& cable = graph.cables[i];
    if (!check_cable(cable, i, graph.switches, problems)) {
      good = false;
      continue;
    }
    if (!seen.insert(std::minmax(cable.a, cable.b)).second)
      problems.add(
          {.what = "two entries connect the same switches",
           .value = "switches " + std::to_string(cable.a) + " and " + std::to_string(cable.b),
           .hint = "give one entry with the number of cables"});
    parts.join(cable.a, cable.b);
  }
  if (!good) return 0;
  check_parts(graph, std::move(parts), problems);
  const long long nodes = static_cast<long long>(graph.switch_of_node.size());
  const long long links = 2 * static_cast<long long>(graph.cables.size());
  return check_size(nodes, links, problems) ? nodes : 0;
}

}  // namespace fg::topology
