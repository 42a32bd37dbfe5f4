// SPDX-License-Identifier: BSD-3-Clause
#include "described_machine.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <string>
#include <tuple>

#include "base/error.hpp"
#include "topology/machines/known/known_machines.hpp"
#include "topology/machines/make_machine.hpp"

namespace nb = nanobind;
namespace topology = fg::topology;

namespace {

template <class T>
T value_of(const nb::dict& from, const char* name) {
  return nb::cast<T>(from[name]);
}

topology::Speed speed_of(const std::tuple<double, double>& given) {
  return {.bandwidth = std::get<0>(given), .latency = std::get<1>(given)};
}
std::vector<topology::Speed> speeds_of(const nb::dict& from) {
  std::vector<topology::Speed> speeds;
  for (const auto& one : value_of<std::vector<std::tuple<double, double>>>(from, "speeds"))
    speeds.push_back(speed_of(one));
  return speeds;
}

topology::MachineDescription description_of(const nb::dict& from) {
  topology::MachineDescription machine{
      .name = value_of<std::string>(from, "name"),
      .network = {},
      .missing_nodes = value_of<std::vector<int>>(from, "missing_nodes"),
      .injection = speed_of(value_of<std::tuple<double, double>>(from, "injection")),
      .node = {}};
  const auto [sockets, cores, threads] = value_of<std::array<int, 3>>(from, "node");
  machine.node = {.sockets = sockets, .cores = cores, .threads_per_core = threads};
  const auto [speed, send, receive, byte] = value_of<std::array<double, 4>>(from, "processor");
  machine.processor = {.core_speed = speed, .send = send, .receive = receive, .byte = byte};
  const auto kind = value_of<std::string>(from, "kind");
  if (kind == "torus") {
    topology::TorusDescription torus{.lengths = value_of<std::vector<int>>(from, "lengths"),
                                     .wraps = value_of<std::vector<bool>>(from, "wraps"),
                                     .speeds = speeds_of(from)};
    torus.nodes_per_router = value_of<int>(from, "nodes_per_router");
    for (const auto& place : value_of<std::vector<std::vector<int>>>(from, "gone"))
      torus.holes.push_back({.coordinates = place, .router_gone = true});
    machine.network = torus;
  } else if (kind == "fat-tree") {
    machine.network =
        topology::FatTreeDescription{.down = value_of<std::vector<int>>(from, "down"),
                                     .up = value_of<std::vector<int>>(from, "up"),
                                     .cables = value_of<std::vector<int>>(from, "cables"),
                                     .speeds = speeds_of(from)};
  } else if (kind == "dragonfly") {
    using Given = std::tuple<double, double>;
    machine.network = topology::DragonflyDescription{
        .groups = value_of<int>(from, "groups"),
        .routers_per_group = value_of<int>(from, "routers_per_group"),
        .nodes_per_router = value_of<int>(from, "nodes_per_router"),
        .links_per_pair_of_groups = value_of<int>(from, "links_per_pair_of_groups"),
        .local = speed_of(value_of<Given>(from, "local")),
        .global = speed_of(value_of<Given>(from, "global"))};
  } else if (kind == "graph") {
    topology::GraphDescription graph{
        .switches = value_of<int>(from, "switches"),
        .cables = {},
        .switch_of_node = value_of<std::vector<int>>(from, "switch_of_node"),
        .names = value_of<std::vector<std::string>>(from, "names")};
    using Cable = std::tuple<int, int, int, std::tuple<double, double>>;
    for (const auto& [a, b, number, speed] : value_of<std::vector<Cable>>(from, "cables"))
      graph.cables.push_back({.a = a, .b = b, .number = number, .speed = speed_of(speed)});
    machine.network = graph;
  } else if (kind == "node") {
    machine.network = topology::GraphDescription{
        .switches = 1, .cables = {}, .switch_of_node = {0}, .names = {"the node"}};
  } else {
    throw nb::value_error("a machine of an unknown kind");
  }
  return machine;
}

}  // namespace

std::unique_ptr<const topology::Machine> machine_of(const nb::dict& from) {
  if (value_of<std::string>(from, "kind") == "known")
    return topology::make_machine(topology::known_machine(value_of<std::string>(from, "known"),
                                                          value_of<int>(from, "nodes")));
  return topology::make_machine(description_of(from));
}

std::vector<int> ints_of(const Numbers& numbers, int below, const char* what) {
  std::vector<int> found;
  found.reserve(numbers.size());
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const std::int64_t one = numbers(i);
    if (one < 0 || one >= below)
      throw fg::InputError({.what = std::string(what) + " that does not exist",
                            .value = std::to_string(one),
                            .limit = "0 to " + std::to_string(below - 1)});
    found.push_back(static_cast<int>(one));
  }
  return found;
}
