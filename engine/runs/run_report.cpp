// SPDX-License-Identifier: BSD-3-Clause
#include "runs/run_report.hpp"

#include <cmath>
#include <utility>

#include "base/error.hpp"
#include "processes/installation.hpp"
#include "transport/host_memory.hpp"

namespace fg {

namespace {

std::string network_mode(const MachineOptions& machine) {
  if (machine.comm_threads > 0)
    return std::to_string(machine.comm_threads) + " communication threads of each process";
  return machine.pes == 1 ? "the one PE of each process" : "the PEs of each process";
}

std::string text_of(double value, std::string_view unit) {
  return std::isfinite(value) ? quantity(value, unit) : "";
}
std::string text_of(const std::string& value, std::string_view /*unit*/) {
  return value;
}
std::string text_of(std::int64_t value, std::string_view unit) {
  return std::to_string(value) + (unit.empty() ? "" : " ") + std::string(unit);
}
/// Lists are in no summary.
std::string text_of(const auto& /*list*/, std::string_view /*unit*/) {
  return {};
}

}  // namespace

std::vector<ShownFigure> shown_figures(const RunResult& result) {
  std::vector<ShownFigure> shown;
  for_each_figure<RunResult>([&](const auto& figure) {
    if (figure.label.empty()) return;
    std::string text = text_of(result.*figure.member, figure.unit);
    if (!text.empty()) shown.push_back({figure.name, figure.label, std::move(text)});
  });
  return shown;
}

void log_start(RunLog& log, const Calculation& calculation, const MachineOptions& machine) {
  const std::string title = calculation.facts().title;
  log.heading(title.empty() ? "finegrain run" : title);
  log.entry("finegrain", describe_installation().version);
  log.entry("SIMD target", describe_installation().simd_target);
  for (const auto& [name, value] : describe_machine()) log.entry(name, value);
  if (machine.transport) {
    log.entry("processes", std::to_string(machine.transport->processes()) + " over " +
                               machine.transport->description());
    log.entry("PEs of each", std::to_string(machine.pes));
    log.entry("network driven by", network_mode(machine));
    if (machine.transport->processes_here() > 1)
      log.entry("large messages", HostMemory::installed()
                                      ? "within a host read where they were written"
                                      : "copied, because the processes of a host cannot map each "
                                        "other's memory");
  } else {
    log.entry("PEs", std::to_string(machine.pes));
  }
  log.entry("map", machine.map);
  if (machine.balance != "none")
    log.entry("balance",
              machine.balance + " every " + std::to_string(machine.balance_steps) + " steps");
  for (const auto& [name, value] : calculation.settings()) log.entry(name, value);
  const std::string same = calculation.facts().bits == Bits::portable
                               ? "Same build, same bits on any SIMD target"
                               : "Same build, SIMD target and processor maker, same bits";
  log.line(same + ": on any number of PEs, under any map, after any restart.");
}

void log_end(RunLog& log, const RunResult& result) {
  std::vector<std::vector<std::string>> rows{{"phase", "seconds", "calls", "share %"}};
  for (const auto& phase : result.phases)
    rows.push_back({phase.name, quantity(phase.seconds, ""), std::to_string(phase.calls),
                    quantity(100 * phase.share, "")});
  log.heading("Where the time went, summed over PEs");
  log.table(rows);
  log.entry("steps", std::to_string(result.steps));
  log.entry("finished", result.finished                ? "yes"
                        : result.stopped_by == "hours" ? "no, the wall time is over; resumable"
                                                       : "no, resumable");
  for (const ShownFigure& figure : shown_figures(result)) log.entry(figure.label, figure.text);
}

void log_failure(RunLog& log, const std::exception_ptr& failure) {
  try {
    try {
      std::rethrow_exception(failure);
    } catch (const std::exception& error) {
      log.warning(error.what());
    }
  } catch (const ResourceError&) {
    return;  // the disk that is full is that of the log, too
  }
}

}  // namespace fg
