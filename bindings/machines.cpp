// SPDX-License-Identifier: BSD-3-Clause
//
// Machines and the places of processes on them, as Python functions; the docstrings are in
// python/finegrain/_engine.pyi.
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
#include <utility>
#include <vector>

#include "app/job_traffic.hpp"
#include "arrays.hpp"
#include "base/error.hpp"
#include "described_machine.hpp"
#include "topology/machines/known/known_machines.hpp"
#include "topology/machines/link_loads.hpp"
#include "topology/machines/make_machine.hpp"
#include "topology/ranks/adapted_places.hpp"
#include "traffic_columns.hpp"

namespace nb = nanobind;
using namespace nb::literals;
namespace topology = fg::topology;

namespace {

using Positions = nb::ndarray<const std::int64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

nb::dict facts(const nb::dict& given) {
  const auto machine = machine_of(given);
  nb::dict d;
  d["nodes"] = machine->nodes();
  d["links"] = machine->links();
  d["node"] =
      std::array{machine->node().sockets, machine->node().cores, machine->node().threads_per_core};
  return d;
}

nb::dict loads(const nb::dict& given, const Numbers& node_of_rank, const TrafficColumns& columns) {
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_rank, machine->nodes(), "a node");
  const auto traffic = traffic_of(columns, static_cast<int>(nodes.size()));
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

/// One way for each pair of nodes.
nb::dict ways(const nb::dict& given, const Numbers& chosen) {
  const auto machine = machine_of(given);
  const auto nodes = ints_of(chosen, machine->nodes(), "a node");
  std::vector<double> bandwidth, latency;
  for (int number = 0; number < machine->links(); ++number) {
    bandwidth.push_back(machine->link(number).speed.bandwidth);
    latency.push_back(machine->link(number).speed.latency);
  }
  std::vector<int> links;
  std::vector<std::int64_t> first{0};
  for (const int from : nodes)
    for (const int to : nodes) {
      machine->usual_way(from, to, links);
      first.push_back(static_cast<std::int64_t>(links.size()));
    }
  const std::size_t all = bandwidth.size(), places = links.size(), entries = first.size();
  nb::dict d;
  d["bandwidth"] = as_array(std::move(bandwidth), all);
  d["latency"] = as_array(std::move(latency), all);
  d["first"] = as_array(std::move(first), entries);
  d["links"] = as_array(std::move(links), places);
  return d;
}

nb::dict adapted(const nb::dict& given, const Numbers& node_of_slot, const TrafficColumns& columns,
                 const std::optional<Positions>& positions, double relief) {
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_slot, machine->nodes(), "a node");
  const int ranks = static_cast<int>(nodes.size());
  const auto traffic = traffic_of(columns, ranks);
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
    best = topology::adapted_places(traffic, *machine, nodes, points ? &*points : nullptr, relief);
  }
  nb::dict d;
  d["slots"] = best.slot_of_rank;
  d["way"] = std::string(best.way);
  return d;
}

/// Senders, receivers, bytes and messages; the ways are gone afterwards.
nb::tuple columns_of(std::vector<fg::Way>&& ways) {
  std::vector<std::int32_t> from, to;
  std::vector<double> bytes, messages;
  for (auto* column : {&from, &to}) column->reserve(ways.size());
  for (auto* column : {&bytes, &messages}) column->reserve(ways.size());
  for (const fg::Way& way : ways) {
    from.push_back(way.from);
    to.push_back(way.to);
    bytes.push_back(way.bytes);
    messages.push_back(way.messages);
  }
  const std::size_t size = std::exchange(ways, {}).size();
  return nb::make_tuple(as_array(std::move(from), size), as_array(std::move(to), size),
                        as_array(std::move(bytes), size), as_array(std::move(messages), size));
}

nb::dict job_traffic(const std::string& name, const nb::bytes& file, const std::string& map,
                     int processes, int pes, const std::vector<int>& hosts) {
  if (processes < 1 || pes < 1) throw nb::value_error("at least one process with one PE");
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  const topology::PeLayout layout{.processes = processes, .pes_a_process = pes, .hosts = hosts};
  fg::JobTraffic traffic;
  {
    const nb::gil_scoped_release free_interpreter;
    traffic = fg::app::job_traffic(name, bytes, map, layout);
  }
  nb::dict phases;
  for (fg::PhaseTraffic& phase : traffic.phases)
    phases[std::string(phase.name).c_str()] = columns_of(std::move(phase.ways));
  nb::dict d;
  d["step"] = std::string(traffic.step);
  d["phases"] = phases;
  d["cells"] = std::string(traffic.cells);
  d["shape"] = traffic.shape;
  d["process_of_cell"] = traffic.process_of_cell;
  d["unit_of_work"] = std::string(traffic.unit_of_work);
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
  module.def("machine_ways", &ways, "machine"_a, "nodes"_a);
  module.def("sum_traffic", &sum_traffic, "ranks"_a, "parts"_a);
  module.def("adapted_places", &adapted, "machine"_a, "node_of_slot"_a, "traffic"_a,
             "positions"_a.none(), "relief"_a);
  module.def("random_places", &topology::random_places, "ranks"_a, "seed"_a);
  module.def("job_traffic", &job_traffic, "name"_a, "file"_a, "map"_a, "processes"_a, "pes"_a,
             "hosts"_a = std::vector<int>());
}
