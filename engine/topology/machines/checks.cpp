// SPDX-License-Identifier: BSD-3-Clause
#include "topology/machines/checks.hpp"

#include <cmath>
#include <set>

#include "base/shown.hpp"
#include "topology/machines/make_machine.hpp"

namespace fg::topology {

void check_speed(const Speed& speed, const std::string& where, Problems& problems) {
  if (!(speed.bandwidth > 0) || !std::isfinite(speed.bandwidth))
    problems.add({.what = "the bandwidth of " + where + " is not a speed",
                  .value = shown(speed.bandwidth) + " byte/s",
                  .limit = "more than 0",
                  .hint = "give the bandwidth of one direction"});
  if (!(speed.latency >= 0) || !std::isfinite(speed.latency))
    problems.add({.what = "the latency of " + where + " is not a time",
                  .value = shown(speed.latency) + " s",
                  .limit = "0 or more",
                  .hint = "give the time that one step takes an empty message"});
}

void check_speeds(std::span<const Speed> speeds, std::size_t most, const std::string& of,
                  Problems& problems) {
  if (speeds.size() > 1 && speeds.size() != most)
    problems.add({.what = "there is not one speed for each of the " + of,
                  .value = std::to_string(speeds.size()) + " speeds",
                  .limit = std::to_string(most),
                  .hint = "give one speed for all, or one for each"});
  for (std::size_t i = 0; i < speeds.size(); ++i)
    check_speed(speeds[i], "speed " + std::to_string(i) + " of the " + of, problems);
}

bool check_positive(long long number, const std::string& what, Problems& problems) {
  if (number >= 1) return true;
  problems.add({.what = "the number of " + what + " is too small",
                .value = std::to_string(number),
                .limit = "1 or more",
                .hint = "correct this number"});
  return false;
}

bool check_size(long long nodes, long long links, Problems& problems) {
  if (nodes > most_nodes)
    problems.add({.what = "the machine has too many nodes",
                  .value = std::to_string(nodes),
                  .limit = std::to_string(most_nodes),
                  .hint = "describe the part that the job uses"});
  if (links > most_links)
    problems.add({.what = "the machine has too many links",
                  .value = std::to_string(links),
                  .limit = std::to_string(most_links),
                  .hint = "describe the part that the job uses"});
  return nodes <= most_nodes && links <= most_links;
}

std::string shown_place(const std::vector<int>& coordinates) {
  std::string text = "(";
  for (std::size_t i = 0; i < coordinates.size(); ++i)
    text += (i == 0 ? "" : ",") + std::to_string(coordinates[i]);
  return text + ")";
}

void check_common(const MachineDescription& description, long long complete, Problems& problems) {
  if (description.name.empty())
    problems.add({.what = "the machine has no name", .hint = "give it one"});
  check_speed(description.injection, "the injection of nodes", problems);
  const Processor& processor = description.processor;
  if (!(processor.core_speed > 0) || !std::isfinite(processor.core_speed))
    problems.add({.what = "the speed of a core is not a positive number",
                  .value = shown(processor.core_speed),
                  .limit = "more than 0",
                  .hint = "give it relative to the core of the fit: 0.5 is half as fast"});
  for (const double time : {processor.send, processor.receive, processor.byte})
    if (!(time >= 0) || !std::isfinite(time))
      problems.add({.what = "what a processor does for a message takes no time that is possible",
                    .value = shown(time) + " s",
                    .limit = "0 or more",
                    .hint = "give the time of one end, in seconds"});
  const NodeShape& node = description.node;
  check_positive(node.sockets, "sockets of a node", problems);
  check_positive(node.threads_per_core, "hardware threads of a core", problems);
  if (check_positive(node.cores, "cores of a node", problems) && node.sockets >= 1 &&
      node.cores % node.sockets != 0)
    problems.add({.what = "the cores of a node do not fill its sockets",
                  .value = std::to_string(node.cores) + " cores in " +
                           std::to_string(node.sockets) + " sockets",
                  .limit = "the same number of cores in each socket",
                  .hint = "give the cores of all sockets together"});
  if (complete <= 0) return;
  std::set<int> missing;
  for (const int number : description.missing_nodes) {
    if (number < 0 || number >= complete)
      problems.add({.what = "a missing node is none of the machine",
                    .value = "node " + std::to_string(number),
                    .limit = "0 to " + std::to_string(complete - 1),
                    .hint = "count nodes from 0 in the machine's own order"});
    else if (!missing.insert(number).second)
      problems.add({.what = "a node is missing twice",
                    .value = "node " + std::to_string(number),
                    .hint = "name each missing node once"});
  }
  if (static_cast<long long>(missing.size()) == complete)
    problems.add({.what = "all nodes are missing",
                  .value = "0 usable nodes",
                  .limit = "1 or more",
                  .hint = "name only nodes that the job cannot use"});
}

void check_connected(const Machine& machine, Problems& problems) {
  std::vector<std::vector<int>> next(static_cast<std::size_t>(machine.vertices()));
  for (int i = 0; i < machine.links(); ++i)
    next[static_cast<std::size_t>(machine.link(i).from)].push_back(machine.link(i).to);
  std::vector<bool> seen(next.size());
  std::vector<int> reached{machine.vertex(0)};
  seen[static_cast<std::size_t>(reached.front())] = true;
  for (std::size_t i = 0; i < reached.size(); ++i)
    for (const int to : next[static_cast<std::size_t>(reached[i])])
      if (!seen[static_cast<std::size_t>(to)]) {
        seen[static_cast<std::size_t>(to)] = true;
        reached.push_back(to);
      }
  int lost = 0, first = -1;
  for (int node = 0; node < machine.nodes(); ++node)
    if (!seen[static_cast<std::size_t>(machine.vertex(node))]) {
      if (first < 0) first = node;
      ++lost;
    }
  if (lost == 0) return;
  problems.add({.what = "the network is not connected: no way from node 0 to node " +
                        std::to_string(first) + " at " + machine.router_name(machine.router(first)),
                .value = std::to_string(lost) + " of " + std::to_string(machine.nodes()) +
                         " nodes are not reached",
                .limit = "all",
                .hint = "add the missing cables, or leave out these nodes"});
}

}  // namespace fg::topology
