// SPDX-License-Identifier: BSD-3-Clause
//
// finegrain._engine: the engine's library calls as Python functions. It only converts; the
// docstrings are in python/finegrain/_engine.pyi.
#include <Python.h>
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <array>
#include <cmath>
#include <cstddef>
#include <exception>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/json_lines.hpp"
#include "app/kinds.hpp"
#include "app/simulation.hpp"
#include "arrays.hpp"
#include "base/error.hpp"
#include "base/vec3.hpp"
#include "electrons/exchange_correlation/functional.hpp"
#include "estimate.hpp"
#include "fft.hpp"
#include "forces/terms/terms.hpp"
#include "machines.hpp"
#include "prediction.hpp"
#include "processes/installation.hpp"
#include "processes/machine_failure.hpp"

namespace nb = nanobind;
using namespace nb::literals;

namespace {

using fg::Progress;

/// Lives as long as the interpreter; the module holds the other reference.
PyObject* engine_error = nullptr;

void raise_engine_error(const fg::Error& error) {
  const auto& parts = error.parts();
  nb::object raised = nb::borrow(engine_error)(error.what());
  raised.attr("kind") = fg::app::name_of(error.kind());
  raised.attr("what") = parts.what;
  raised.attr("where") = parts.where;
  raised.attr("value") = parts.value;
  raised.attr("limit") = parts.limit;
  raised.attr("hint") = parts.hint;
  raised.attr("exit_status") = error.exit_status();
  PyErr_SetObject(engine_error, raised.ptr());
}

void add_engine_error(nb::module_& module) {
  engine_error = PyErr_NewExceptionWithDoc(
      "finegrain._engine.EngineError",
      "An error of the engine: kind, what, where, value, limit, hint, exit_status.",
      PyExc_RuntimeError, nullptr);
  module.attr("EngineError") = nb::borrow(engine_error);
  nb::register_exception_translator([](const std::exception_ptr& thrown, void*) {
    try {
      std::rethrow_exception(thrown);
    } catch (const fg::Error& error) {
      raise_engine_error(error);
    } catch (const std::bad_alloc& error) {
      raise_engine_error(fg::no_memory(error));
    } catch (const std::system_error& error) {
      raise_engine_error(fg::refused_by_system(error));
    }
  });
}

/// None where nothing was measured.
nb::object as_python(double value) {
  return std::isnan(value) ? nb::none() : nb::cast(value);
}
nb::object as_python(const auto& value) {
  return nb::cast(value);
}
template <std::size_t count>
nb::object as_python(const std::array<double, count>& values) {
  return as_array(std::vector<double>(values.begin(), values.end()), values.size());
}
nb::object as_python(const std::vector<std::pair<std::string, double>>& terms) {
  nb::dict d;
  for (const auto& [name, value] : terms) d[name.c_str()] = value;
  return d;
}
nb::object as_python(const std::vector<fg::PhaseTime>& phases);

template <fg::Reported Report>
nb::dict as_dict(const Report& report) {
  nb::dict d;
  fg::for_each_value(report, [&](std::string_view name, const auto& value) {
    d[std::string(name).c_str()] = as_python(value);
  });
  return d;
}

nb::object as_python(const std::vector<fg::PhaseTime>& phases) {
  nb::list rows;
  for (const auto& phase : phases) rows.append(as_dict(phase));
  return rows;
}

/// Name, unit and meaning of each value of a report.
template <fg::Reported Report>
nb::list described() {
  nb::list rows;
  fg::for_each_figure<Report>([&](const auto& f) {
    rows.append(nb::make_tuple(std::string(f.name), std::string(f.unit), std::string(f.help)));
  });
  return rows;
}

nb::dict figures() {
  nb::dict d;
  d["progress"] = described<Progress>();
  d["result"] = described<fg::RunResult>();
  d["phases"] = described<fg::PhaseTime>();
  d["energy"] = described<fg::EnergyResult>();
  return d;
}

/// Calls back into Python from the calling thread. Python may raise an exception there, such as for
/// Ctrl-C. Then the run stops at its next rebuild, with a checkpoint, and the exception is raised
/// again afterwards.
class ProgressCall {
 public:
  explicit ProgressCall(nb::object callback) : callback_(std::move(callback)) {}

  bool operator()(const Progress& at) {
    const nb::gil_scoped_acquire gil;
    if (raised_) return false;
    try {
      if (PyErr_CheckSignals() != 0) throw nb::python_error();
      if (callback_.is_none()) return true;
      const nb::object answer = callback_(as_dict(at));
      return answer.is_none() || nb::cast<bool>(answer);
    } catch (...) {
      raised_ = std::current_exception();
      return false;
    }
  }

  void raise_again() {
    if (raised_) std::rethrow_exception(std::exchange(raised_, nullptr));
  }

 private:
  nb::object callback_;
  std::exception_ptr raised_;
};

/// Sets the option of this name.
void set_option(fg::RunOptions& options, const std::string& name, nb::handle value) {
  bool known = false;
  fg::for_each_option<fg::RunOptions>([&](const auto& option) {
    if (name.empty() || option.name != name) return;
    known = true;
    if (!nb::try_cast(value, options.*option.member))
      throw nb::type_error(("the option '" + name + "' has a value of another type").c_str());
  });
  if (!known) throw nb::type_error(("run() has no option '" + name + "'").c_str());
}

/// Name, word on the command line, default, and meaning of each option that Python gives.
nb::list run_options() {
  nb::list rows;
  fg::for_each_option<fg::RunOptions>([&](const auto& option) {
    if (option.name.empty()) return;
    rows.append(nb::make_tuple(std::string(option.name), std::string(option.word),
                               fg::RunOptions{}.*option.member, std::string(option.help)));
  });
  return rows;
}

nb::dict run(const std::string& job, const std::string& out, nb::object on_progress,
             const nb::kwargs& given) {
  fg::RunOptions options{.job = job, .out = out};
  for (const auto [name, value] : given) set_option(options, nb::cast<std::string>(name), value);
  ProgressCall progress(std::move(on_progress));
  fg::RunResult result;
  {
    const nb::gil_scoped_release free_interpreter;
    result = fg::app::run(options, [&](const Progress& at) { return progress(at); });
  }
  progress.raise_again();
  return as_dict(result);
}

nb::dict energy_dict(fg::EnergyResult&& result) {
  nb::dict d = as_dict(result);
  const std::size_t atoms = result.forces.size() / 3;
  d["forces"] = as_array(std::move(result.forces), atoms, 3);
  return d;
}

nb::dict energy(const std::string& job, int pes, const std::string& map, const std::string& out,
                bool pairs_only) {
  const auto parts = pairs_only ? fg::ForceParts::pairs : fg::ForceParts::all;
  fg::EnergyResult result;
  {
    const nb::gil_scoped_release free_interpreter;
    result = fg::app::energy({.job = job, .out = out, .pes = pes, .map = map}, parts);
  }
  return energy_dict(std::move(result));
}

/// The objects of a job, for one geometry after the other.
class GeometryEvaluator {
 public:
  using Positions = nb::ndarray<const double, nb::shape<-1, 3>, nb::c_contig, nb::device::cpu>;

  GeometryEvaluator(const std::string& job, int pes, const std::string& map,
                    double companion_seconds) {
    const nb::gil_scoped_release free_interpreter;
    evaluator_ = fg::app::make_evaluator(
        {.job = job, .pes = pes, .map = map, .companion_seconds = companion_seconds});
  }

  nb::dict energy(const Positions& positions) {
    std::vector<fg::Vec3> at(positions.shape(0));
    for (std::size_t i = 0; i < at.size(); ++i)
      for (int axis = 0; axis < 3; ++axis)
        at[i][axis] = positions.data()[3 * i + static_cast<std::size_t>(axis)];
    fg::EnergyResult result;
    {
      const nb::gil_scoped_release free_interpreter;
      result = evaluator_->energy_at(at);
    }
    return energy_dict(std::move(result));
  }

  void save(const std::string& path) {
    const nb::gil_scoped_release free_interpreter;
    evaluator_->save(path);
  }

 private:
  std::unique_ptr<fg::Evaluator> evaluator_;
};

void check_job(const std::string& name, const nb::bytes& file) {
  const std::span bytes(static_cast<const std::byte*>(file.data()), file.size());
  const nb::gil_scoped_release free_interpreter;
  fg::app::check_job_file(name, bytes);
}

nb::dict doctor() {
  const auto here = fg::describe_installation();
  nb::dict libraries;
  for (const auto& [name, version] : here.libraries) libraries[name.c_str()] = version;
  nb::dict d;
  d["version"] = here.version;
  d["compiler"] = here.compiler;
  d["build_type"] = here.build_type;
  d["simd_target"] = here.simd_target;
  d["portable_target"] = here.portable_target;
  d["simd_targets"] = nb::cast(here.simd_targets);
  d["libraries"] = libraries;
  d["cores"] = here.cores;
  d["hardware_threads"] = here.hardware_threads;
  d["numa_nodes"] = here.numa_nodes;
  d["memory_bytes"] = here.memory_bytes;
  return d;
}

/// The table of what terms share, and its arrays.
template <class Shared>
nb::tuple shared_by() {
  nb::list arrays;
  fg::for_each_shared_array<Shared>([&]<class Value>(const fg::SharedArray<Shared, Value>& array) {
    arrays.append(nb::make_tuple(std::string(array.name), std::is_integral_v<Value>));
  });
  const std::string table(Shared::table);
  return nb::make_tuple(table.empty() ? table : table.substr(1), arrays);
}

std::vector<std::string> kinds() {
  std::vector<std::string> names;
  for (const fg::RunKind& kind : fg::app::kinds()) names.emplace_back(kind.name);
  return names;
}

const char* word_of(fg::Given given) {
  switch (given) {
    case fg::Given::always:
      return "always";
    case fg::Given::optional:
      return "optional";
    case fg::Given::where_used:
      break;
  }
  return "where used";
}

nb::dict described(const fg::KeyDescription& key) {
  nb::dict d;
  d["name"] = key.name;
  d["type"] = key.type;
  d["unit"] = key.unit;
  d["least"] = key.least;
  d["most"] = key.most;
  d["words"] = key.words;
  d["given"] = word_of(key.given);
  d["with"] = key.with;
  d["default"] = key.standard;
  d["in_digest"] = key.in_digest;
  d["meaning"] = key.meaning;
  return d;
}

nb::dict job_keys() {
  nb::dict all;
  for (const fg::RunKind& kind : fg::app::kinds()) {
    if (kind.keys == nullptr) continue;
    nb::dict objects;
    for (const fg::KeyGroup& group : kind.keys()) {
      nb::list keys;
      for (const fg::KeyDescription& key : group.keys) keys.append(described(key));
      objects[group.object.c_str()] = keys;
    }
    all[std::string(kind.name).c_str()] = objects;
  }
  return all;
}

nb::list bonded_terms() {
  nb::list kinds;
  fg::BondedTerms::for_each_kind([&]<class Term>() {
    if (Term::table.empty()) return;
    nb::list columns;
    fg::for_each_column<Term>([&]<class Value>(const fg::Column<Term, Value>& column) {
      const bool whole = std::is_integral_v<Value>;
      columns.append(nb::make_tuple(std::string(column.name), whole, column.least, column.most));
    });
    kinds.append(nb::make_tuple(std::string(Term::table.substr(1)), fg::atoms_in<Term>, columns,
                                shared_by<typename Term::Shared>()));
  });
  return kinds;
}

}  // namespace

NB_MODULE(_engine, module) {
  module.doc() =
      "The finegrain engine; use the package finegrain, which checks input and adds units.";
  add_engine_error(module);
  module.def("run", &run, "job"_a, "out"_a, nb::kw_only(), "on_progress"_a = nb::none(),
             "options"_a);
  module.def("run_options", &run_options);
  module.def("energy", &energy, "job"_a, nb::kw_only(), "pes"_a = 1, "map"_a = "block",
             "out"_a = "", "pairs_only"_a = false);
  nb::class_<GeometryEvaluator>(module, "Evaluator")
      .def(nb::init<const std::string&, int, const std::string&, double>(), "job"_a, nb::kw_only(),
           "pes"_a = 1, "map"_a = "block", "companion_seconds"_a = fg::usual_companion_seconds)
      .def("energy", &GeometryEvaluator::energy, "positions"_a)
      .def("save", &GeometryEvaluator::save, "path"_a);
  module.def("check_job", &check_job, "name"_a, "file"_a);
  module.def("figures", &figures);
  module.def("kinds", &kinds);
  module.def("functional_terms", &fg::electrons::functional_terms);
  module.def("bonded_terms", &bonded_terms);
  module.def("job_keys", &job_keys);
  module.def("doctor", &doctor);
  add_estimates(module);
  add_machines(module);
  add_predictions(module);
  add_transforms(module);
}
