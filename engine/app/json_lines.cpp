// SPDX-License-Identifier: BSD-3-Clause
#include "app/json_lines.hpp"

#include "app/json.hpp"
#include "app/standard_streams.hpp"

namespace fg::app {

namespace {

std::string line_of(std::string_view kind, const JsonObject& content) {
  return JsonObject().add_json(kind, content.text()).text();
}

}  // namespace

std::string started_line(int ranks, int pes, const std::string& mpi) {
  return line_of("started", JsonObject().add("ranks", ranks).add("pes", pes).add("mpi", mpi));
}

std::string progress_line(const Progress& at) {
  return line_of("progress", JsonObject()
                                 .add("step", at.step)
                                 .add("steps", at.steps)
                                 .add("seconds", at.seconds)
                                 .add("temperature", at.temperature_kelvin)
                                 .add("energy_drift", at.energy_drift)
                                 .add("potential", at.potential)
                                 .add("kinetic", at.kinetic)
                                 .add("evaluations", at.evaluations)
                                 .add("largest_force", at.largest_force));
}

std::string result_line(const RunResult& result) {
  std::vector<std::string> phases;
  phases.reserve(result.phases.size());
  for (const auto& phase : result.phases)
    phases.push_back(JsonObject()
                         .add("name", phase.name)
                         .add("seconds", phase.seconds)
                         .add("calls", phase.calls)
                         .add("share", phase.share)
                         .text());
  return line_of("result", JsonObject()
                               .add("steps", result.steps)
                               .add("finished", result.finished)
                               .add("pes", result.pes)
                               .add("ranks", result.ranks)
                               .add("atoms", result.atoms)
                               .add("seconds", result.seconds)
                               .add("seconds_per_step", result.seconds_per_step)
                               .add("ns_per_day", result.ns_per_day)
                               .add("energy_drift", result.energy_drift)
                               .add("temperature", result.temperature_kelvin)
                               .add("potential", result.potential)
                               .add("kinetic", result.kinetic)
                               .add("state_digest", result.state_digest)
                               .add("went_on_from", result.went_on_from)
                               .add("stopped_by", result.stopped_by)
                               .add("simd_target", result.simd_target)
                               .add("messages", result.messages)
                               .add("overhead_share", result.overhead_share)
                               .add("idle_share", result.idle_share)
                               .add_json("phases", json_list(phases))
                               .add_json("warnings", to_json_list(result.warnings)));
}

std::string result_line(const EnergyResult& result, const std::string& forces_file) {
  JsonObject terms;
  for (const auto& [name, value] : result.terms) terms.add(name, value);
  return line_of("result", JsonObject()
                               .add_json("energies", terms.text())
                               .add_json("virial", to_json_list(result.virial))
                               .add("atoms", result.forces.size() / 3)
                               .add("forces_file", forces_file));
}

std::string error_line(const Error& error) {
  const auto& parts = error.parts();
  return line_of("error", JsonObject()
                              .add("kind", name_of(error.kind()))
                              .add("what", parts.what)
                              .add("where", parts.where)
                              .add("value", parts.value)
                              .add("limit", parts.limit)
                              .add("hint", parts.hint)
                              .add("exit_status", error.exit_status()));
}

const char* name_of(ErrorKind kind) noexcept {
  switch (kind) {
    case ErrorKind::input:
      return "input";
    case ErrorKind::resource:
      return "resource";
    case ErrorKind::numerics:
      return "numerics";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

void print_line(const std::string& line) {
  say(line + "\n");
}

}  // namespace fg::app
