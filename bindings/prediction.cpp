// SPDX-License-Identifier: BSD-3-Clause
//
// How long a step of a job will take, for `finegrain predict`. The docstring is in
// python/finegrain/_engine.pyi.
#include "prediction.hpp"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/job_prediction.hpp"
#include "described_machine.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

constexpr double seconds = 1e-12;

/// The last three parts have the same names in all kinds of runs.
std::string name_of(const fg::StepForecast& found, std::size_t part) {
  constexpr std::array<std::string_view, 3> last{"messages", "links", "waits"};
  const auto kinds = found.names_of_work.size();
  return std::string(part < kinds ? found.names_of_work[part] : last[part - kinds]);
}

nb::dict parts_of(const fg::StepForecast& found, const fg::TimeOfParts& times) {
  nb::dict parts;
  for (std::size_t i = 0; i < times.size(); ++i)
    if (const std::string name = name_of(found, i); !name.empty())
      parts[name.c_str()] = seconds * static_cast<double>(times[i]);
  return parts;
}

nb::dict predict(const std::string& name, const nb::bytes& file, const std::string& map, int pes,
                 const nb::dict& given, const Numbers& node_of_process,
                 const std::vector<double>& operation_times) {
  if (pes < 1) throw nb::value_error("pes is at least 1");
  const auto machine = machine_of(given);
  const auto nodes = ints_of(node_of_process, machine->nodes(), "a node");
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  fg::StepForecast found;
  {
    const nb::gil_scoped_release free_interpreter;
    found = fg::app::job_prediction(name, bytes, map,
                                    {.machine = *machine,
                                     .node_of_process = nodes,
                                     .pes = pes,
                                     .operation_times = operation_times});
  }
  const fg::StepPrediction& step = found.prediction;
  nb::dict d;
  d["step"] = std::string(found.step);
  d["fit"] = std::string(found.fit);
  d["seconds"] = seconds * static_cast<double>(step.step);
  d["mean"] = parts_of(found, step.mean);
  d["most"] = parts_of(found, step.most);
  d["path"] = parts_of(found, step.path);
  d["busiest_pe"] = step.busiest_pe;
  d["messages"] = step.messages;
  d["bytes"] = step.bytes;
  d["busy_share"] = step.busy_share;
  d["busiest_link"] = found.busiest_link;
  d["longest_task"] = seconds * static_cast<double>(step.longest_task);
  d["part_of_longest"] = name_of(found, step.part_of_longest);
  d["cells"] = std::string(found.cells);
  d["shape"] = found.shape;
  d["division"] = found.division;
  d["objects"] = found.objects;
  d["core_seconds"] = seconds * static_cast<double>(found.work);
  d["imbalance"] = found.imbalance;
  d["timestep_fs"] = found.timestep;
  return d;
}

}  // namespace

void add_predictions(nb::module_& module) {
  module.def("job_prediction", &predict, "name"_a, "file"_a, "map"_a, "pes"_a, "machine"_a,
             "node_of_rank"_a, "operation_times"_a = std::vector<double>());
}
