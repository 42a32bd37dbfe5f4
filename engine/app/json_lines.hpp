// SPDX-License-Identifier: BSD-3-Clause
//
// What process 0 says with `--report json`, a line each: first {"started": ...}, then {"progress":
// ...} about five times a second, at last either {"result": ...} or {"error": ...}. The keys are
// those of the Python module (bindings/engine.cpp). Units: the field's, as in app/simulation.hpp.
#pragma once

#include <string>

#include "app/simulation.hpp"
#include "base/error.hpp"

namespace fg::app {

/// `mpi` says which, and is empty where there is none.
std::string started_line(int ranks, int pes, const std::string& mpi);
std::string progress_line(const Progress& at);
std::string result_line(const RunResult& result);
/// `forces_file` is where they have been put; it may be empty.
std::string result_line(const EnergyResult& result, const std::string& forces_file);
std::string error_line(const Error& error);

/// "input", "resource", "numerics" or "internal".
const char* name_of(ErrorKind kind) noexcept;

/// To standard output, at once. A reader that has gone is no reason to stop a simulation.
void print_line(const std::string& line);

}  // namespace fg::app
