// SPDX-License-Identifier: BSD-3-Clause
//
// What run.log says of every run, at its start and at its end.
#pragma once

#include <exception>
#include <string>
#include <string_view>
#include <vector>

#include "runs/calculation.hpp"

namespace fg {

/// A figure of the summary at the end of a run.
struct ShownFigure {
  std::string_view name, label;
  std::string text;  // with its unit
};
/// The figures that have a label, without what was not measured.
std::vector<ShownFigure> shown_figures(const RunResult& result);

void log_start(RunLog& log, const Calculation& calculation, const MachineOptions& machine);
void log_end(RunLog& log, const RunResult& result);
/// Notes an error in the log, unless the log cannot be written either.
void log_failure(RunLog& log, const std::exception_ptr& failure);

}  // namespace fg
