// SPDX-License-Identifier: BSD-3-Clause
//
// What the engine says of a job while its division is chosen, as Python functions; the docstrings
// are in python/finegrain/_engine.pyi.
#include "estimate.hpp"

#include <nanobind/stl/array.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include <cstddef>
#include <span>
#include <tuple>

#include "app/estimate.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

/// Patches, their reach, pair computes of each, pencils, radius of the inner list.
using GivenDivision =
    std::tuple<std::array<int, 3>, std::array<int, 3>, int, std::array<int, 2>, double>;

nb::dict as_dict(const fg::classical::StepEstimate& step) {
  constexpr double second = 1e12;  // picoseconds
  nb::dict parts;
  for (std::size_t i = 0; i < fg::classical::parts_of_step.size(); ++i)
    parts[std::string(fg::classical::parts_of_step[i]).c_str()] =
        static_cast<double>(step.picoseconds[i]) / second;
  nb::dict d;
  d["parts"] = parts;
  d["core_seconds"] = static_cast<double>(step.whole) / second;
  d["seconds"] = static_cast<double>(step.fullest) / second;
  d["most_atoms"] = step.most_atoms;
  d["objects"] = step.objects;
  d["messages"] = step.messages;
  return d;
}

nb::list estimate_steps(const std::string& name, const nb::bytes& file, int pes,
                        const std::vector<GivenDivision>& given) {
  if (pes < 1) throw nb::value_error("estimate_steps() needs at least one PE");
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  std::vector<fg::classical::Division> divisions;
  divisions.reserve(given.size());
  for (const auto& [patches, reach, computes, pencils, radius] : given)
    divisions.push_back({.patches = {patches[0], patches[1], patches[2]},
                         .reach = {reach[0], reach[1], reach[2]},
                         .pair_computes = computes,
                         .pencils = pencils,
                         .inner_list_cutoff = radius});
  std::vector<std::optional<fg::classical::StepEstimate>> steps;
  {
    const nb::gil_scoped_release free_interpreter;
    steps = fg::app::estimate_steps(name, bytes, divisions, pes);
  }
  nb::list rows;
  for (const auto& step : steps) rows.append(step ? nb::object(as_dict(*step)) : nb::none());
  return rows;
}

std::vector<int> cut_cells(const std::string& name, const nb::bytes& file,
                           const std::array<int, 3>& shape) {
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  const nb::gil_scoped_release free_interpreter;
  return fg::app::cut_cells(name, bytes, shape).planes;
}

}  // namespace

void add_estimates(nb::module_& module) {
  module.def("estimate_steps", &estimate_steps, "name"_a, "file"_a, "pes"_a,
             "divisions"_a = std::vector<GivenDivision>());
  module.def("cut_cells", &cut_cells, "name"_a, "file"_a, "shape"_a);
  module.def("fit_of_estimates", [] { return std::string(fg::work_fit); });
}
