// SPDX-License-Identifier: BSD-3-Clause
#include "app/json_lines.hpp"

#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "app/json.hpp"
#include "app/standard_streams.hpp"

namespace fg::app {

namespace {

std::string line_of(std::string_view kind, const JsonObject& content) {
  return JsonObject().add_json(kind, content.text()).text();
}

std::string json_of(const auto& value) {
  return to_json(value);
}
std::string json_of(const std::vector<std::string>& texts) {
  return to_json_list(texts);
}
template <std::size_t count>
std::string json_of(const std::array<double, count>& numbers) {
  return to_json_list(numbers);
}
std::string json_of(const std::vector<std::pair<std::string, double>>& terms) {
  JsonObject object;
  for (const auto& [name, value] : terms) object.add(name, value);
  return object.text();
}
std::string json_of(const std::vector<PhaseTime>& phases);

template <Reported Report>
JsonObject object_of(const Report& report) {
  JsonObject object;
  for_each_value(report, [&](std::string_view name, const auto& value) {
    object.add_json(name, json_of(value));
  });
  return object;
}

std::string json_of(const std::vector<PhaseTime>& phases) {
  std::vector<std::string> rows;
  rows.reserve(phases.size());
  for (const auto& phase : phases) rows.push_back(object_of(phase).text());
  return json_list(rows);
}

}  // namespace

std::string started_line(int ranks, int pes, const std::string& mpi) {
  return line_of("started", JsonObject().add("ranks", ranks).add("pes", pes).add("mpi", mpi));
}

std::string progress_line(const Progress& at) {
  return line_of("progress", object_of(at));
}

std::string result_line(const RunResult& result) {
  return line_of("result", object_of(result));
}

std::string result_file(const RunResult& result, const RunOptions& options, int ranks) {
  return object_of(result)
             .add("ranks", ranks)
             .add("map", options.map)
             .add("balance", options.balance)
             .text() +
         "\n";
}

std::string result_line(const EnergyResult& result, const std::string& forces_file) {
  return line_of(
      "result",
      object_of(result).add("atoms", result.forces.size() / 3).add("forces_file", forces_file));
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
