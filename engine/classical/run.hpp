// SPDX-License-Identifier: BSD-3-Clause
//
// A classical run, and one evaluation of a classical job: what the functions of the same names in
// app/simulation.hpp promise.
#pragma once

#include <functional>

#include "records/run_options.hpp"
#include "records/run_result.hpp"

namespace fg::classical {

RunResult run(const RunOptions& options, const std::function<bool(const Progress&)>& on_progress);
EnergyResult energy(const RunOptions& options, ForceParts parts);

/// For processes other than 0.
void serve(const RunOptions& options);
void serve_energy(const RunOptions& options, ForceParts parts);

}  // namespace fg::classical
