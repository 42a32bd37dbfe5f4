// SPDX-License-Identifier: BSD-3-Clause
//
// What run.log says of every run, at its start and at its end.
#pragma once

#include <exception>

#include "runs/calculation.hpp"

namespace fg {

void log_start(RunLog& log, const Calculation& calculation, const MachineOptions& machine);
void log_end(RunLog& log, const RunResult& result);
/// Notes an error in the log, unless the log cannot be written either.
void log_failure(RunLog& log, const std::exception_ptr& failure);

}  // namespace fg
