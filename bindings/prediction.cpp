// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a job takes on a machine, as a Python function. Its docstring is in
// python/finegrain/_engine.pyi.
#include "prediction.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>

#include <cstddef>
#include <span>
#include <string>

#include "app/job_prediction.hpp"
#include "described_machine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

constexpr double seconds = 1e-12;

nb::dict parts_of(const fg::classical::TimeOfParts& times) {
  nb::dict parts;
  for (std::size_t i = 0; i < times.size(); ++i)
    parts[std::string(fg::classical::parts_of_time[i]).c_str()] =
        seconds * static_cast<double>(times[i]);
  return parts;
}

nb::dict predict(const std::string& name, const nb::bytes& file, const std::string& map, int pes,
                 const nb::dict& given, const Numbers& node_of_rank) {
  if (pes < 1 || node_of_rank.size() < 1) throw nb::value_error("at least one process and one PE");
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_rank, machine->nodes(), "a node");
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  fg::app::JobPrediction found;
  {
    const nb::gil_scoped_release free_interpreter;
    found = fg::app::job_prediction(name, bytes, map, *machine, nodes, pes);
  }
  const auto& step = found.step;
  nb::dict d;
  d["seconds"] = seconds * static_cast<double>(step.step);
  d["mean"] = parts_of(step.mean);
  d["most"] = parts_of(step.most);
  d["path"] = parts_of(step.path);
  d["busiest_pe"] = step.busiest_pe;
  d["messages"] = step.messages;
  d["bytes"] = step.bytes;
  d["busy_share"] = step.busy_share;
  d["busiest_link"] = found.busiest_link;
  d["longest_task"] = seconds * static_cast<double>(step.longest_task);
  d["part_of_longest"] = std::string(fg::classical::parts_of_time[step.part_of_longest]);
  d["patches"] = found.patches;
  d["pair_computes"] = found.pair_computes;
  d["objects"] = found.objects;
  d["core_seconds"] = seconds * static_cast<double>(found.work);
  d["imbalance"] = found.imbalance;
  d["timestep_fs"] = found.timestep;
  return d;
}

}  // namespace

void add_predictions(nb::module_& module) {
  module.def("job_prediction", &predict, "name"_a, "file"_a, "map"_a, "pes"_a, "machine"_a,
             "node_of_rank"_a);
}
