// SPDX-License-Identifier: BSD-3-Clause
//
// The output of process 0 with `--json`, one line each: first {"started": ...}, then
// {"progress": ...} about five times a second, at last either {"result": ...} or {"error": ...}.
// Keys and units are those of records/options/run_result.hpp.
#pragma once

#include <string>

#include "base/error.hpp"
#include "records/options/run_options.hpp"
#include "records/options/run_result.hpp"

namespace fg::app {

/// `mpi` names the MPI; empty without one.
std::string started_line(int ranks, int pes, const std::string& mpi);
std::string progress_line(const Progress& at);
std::string result_line(const RunResult& result);
/// The contents of result.json: the figures, and how the run was started.
std::string result_file(const RunResult& result, const RunOptions& options, int ranks);
/// `forces_file` is the path of the forces; it may be empty.
std::string result_line(const EnergyResult& result, const std::string& forces_file);
std::string error_line(const Error& error);

/// "input", "resource", "numerics" or "internal".
const char* name_of(ErrorKind kind) noexcept;

/// Prints to standard output, at once. If the reader has closed it, the simulation continues.
void print_line(const std::string& line);

}  // namespace fg::app
