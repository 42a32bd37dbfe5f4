// SPDX-License-Identifier: BSD-3-Clause
//
// Machines and the places of processes on them, as Python functions; the docstrings are in
// python/finegrain/_engine.pyi. A machine is a dictionary, which
// python/finegrain/machines/for_engine.py makes.
#include "machines.hpp"

#include <nanobind/ndarray.h>
#include <nanobind/stl/array.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <tuple>
#include <vector>

#include "app/job_traffic.hpp"
#include "base/error.hpp"
#include "topology/machines/known/known_machines.hpp"
#include "topology/machines/link_loads.hpp"
#include "topology/machines/make_machine.hpp"
#include "topology/ranks/adapted_places.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace topology = fg::topology;

namespace {

using Numbers = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using Rows = nb::ndarray<const std::int64_t, nb::shape<-1, 4>, nb::c_contig, nb::device::cpu>;
using Positions = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

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

/// Rows of from, to, bytes, messages, between ranks.
std::vector<topology::Traffic> traffic_of(const Rows& rows, int ranks) {
  std::vector<topology::Traffic> traffic;
  traffic.reserve(rows.shape(0));
  const auto place = [&](std::int64_t rank) {
    if (rank < 0 || rank >= ranks)
      throw fg::InputError({.what = "traffic of a rank that does not exist",
                            .value = std::to_string(rank),
                            .limit = "0 to " + std::to_string(ranks - 1)});
    return static_cast<int>(rank);
  };
  for (std::size_t i = 0; i < rows.shape(0); ++i)
    traffic.push_back({.from = place(rows(i, 0)),
                       .to = place(rows(i, 1)),
                       .bytes = rows(i, 2),
                       .messages = rows(i, 3)});
  return traffic;
}

nb::dict facts(const nb::dict& given) {
  const auto machine = machine_of(given);
  nb::dict d;
  d["nodes"] = machine->nodes();
  d["links"] = machine->links();
  d["node"] =
      std::array{machine->node().sockets, machine->node().cores, machine->node().threads_per_core};
  return d;
}

nb::dict loads(const nb::dict& given, const Numbers& node_of_rank, const Rows& rows) {
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_rank, machine->nodes(), "a node");
  const auto traffic = traffic_of(rows, static_cast<int>(nodes.size()));
  const topology::LinkLoads found = topology::link_loads(*machine, traffic, nodes);
  nb::dict d;
  d["hop_bytes"] = found.hop_bytes;
  d["most_bytes"] = found.most_bytes;
  d["mean_bytes"] = found.mean_bytes;
  d["most_messages"] = found.most_messages;
  d["mean_messages"] = found.mean_messages;
  d["heaviest_link"] =
      found.heaviest_link < 0 ? std::string() : machine->link_name(found.heaviest_link);
  d["most_bytes_of_node"] = found.most_bytes_of_node;
  d["mean_bytes_of_node"] = found.mean_bytes_of_node;
  return d;
}

nb::dict adapted(const nb::dict& given, const Numbers& node_of_slot, const Rows& rows,
                 const std::optional<Positions>& positions) {
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_slot, machine->nodes(), "a node");
  const int ranks = static_cast<int>(nodes.size());
  const auto traffic = traffic_of(rows, ranks);
  std::optional<topology::Coordinates> points;
  if (positions) {
    if (positions->shape(0) != nodes.size()) throw nb::value_error("a position for each rank");
    points.emplace(ranks, static_cast<int>(positions->shape(1)));
    for (int rank = 0; rank < ranks; ++rank)
      for (std::size_t axis = 0; axis < positions->shape(1); ++axis)
        points->of(rank)[axis] =
            static_cast<int>((*positions)(static_cast<std::size_t>(rank), axis));
  }
  topology::AdaptedPlaces best;
  {
    const nb::gil_scoped_release free_interpreter;
    best = topology::adapted_places(traffic, *machine, nodes, points ? &*points : nullptr);
  }
  nb::dict d;
  d["slots"] = best.slot_of_rank;
  d["way"] = std::string(best.way);
  return d;
}

nb::dict job_traffic(const std::string& name, const nb::bytes& file, const std::string& map,
                     int processes, int pes, const std::vector<int>& hosts) {
  if (processes < 1 || pes < 1) throw nb::value_error("at least one process with one PE");
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  const topology::PeLayout layout{.processes = processes, .pes_a_process = pes, .hosts = hosts};
  fg::app::JobTraffic traffic;
  {
    const nb::gil_scoped_release free_interpreter;
    traffic = fg::app::job_traffic(name, bytes, map, layout);
  }
  nb::dict phases;
  for (std::size_t phase = 0; phase < traffic.step.size(); ++phase) {
    nb::list ways;
    for (const auto& way : traffic.step[phase])
      ways.append(nb::make_tuple(way.from, way.to, way.bytes, way.messages));
    phases[std::string(fg::classical::phases_of_traffic[phase]).c_str()] = ways;
  }
  nb::dict d;
  d["phases"] = phases;
  d["patches"] = traffic.patches;
  d["process_of_patch"] = traffic.process_of_patch;
  d["work"] = traffic.work;
  d["objects"] = traffic.objects;
  d["imbalance"] = traffic.imbalance;
  return d;
}

}  // namespace

void add_machines(nb::module_& module) {
  module.def("known_machines", [] {
    nb::list all;
    for (const auto& one : topology::known_machines())
      all.append(nb::make_tuple(one.name, one.about, one.most_nodes));
    return all;
  });
  module.def("machine_facts", &facts, "machine"_a);
  module.def("link_loads", &loads, "machine"_a, "node_of_rank"_a, "traffic"_a);
  module.def("adapted_places", &adapted, "machine"_a, "node_of_slot"_a, "traffic"_a,
             "positions"_a = nb::none());
  module.def("random_places", &topology::random_places, "ranks"_a, "seed"_a);
  module.def("job_traffic", &job_traffic, "name"_a, "file"_a, "map"_a, "processes"_a, "pes"_a,
             "hosts"_a = std::vector<int>());
}
