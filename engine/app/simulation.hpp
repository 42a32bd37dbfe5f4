// SPDX-License-Identifier: BSD-3-Clause
//
// The engine as library calls: run a job, or evaluate it once. The executable, the Python module
// and the tests all use these. Units: as named; results are in the usual units of the field.
#pragma once

#include <memory>

#include "records/options/run_options.hpp"
#include "records/options/run_result.hpp"
#include "runs/run.hpp"

namespace fg::app {

/// Runs the job to its end, or until `on_progress` returns false (then a checkpoint is saved at the
/// next rebuild). `on_progress` is called on the calling thread about five times a second. If it is
/// stopped before the first step, while minimising, nothing is saved. A new start from the job
/// gives the same trajectory. Throws fg::Error; the last whole checkpoint stays usable, also one in
/// memory. With a transport, process 0 calls `run` and the others call `serve` with the same
/// options.
RunResult run(const RunOptions& options, const OnProgress& on_progress = {});

/// Energies by term and forces at the job's positions, unchanged (constraints are not applied).
/// Uses only job, pes, map and transport of `options`; processes other than 0 call `serve_energy`.
EnergyResult energy(const RunOptions& options, ForceParts parts = ForceParts::all);

/// It is for one evaluation after the other, at any positions. Throws fg::Error.
std::unique_ptr<Evaluator> make_evaluator(const RunOptions& options);

/// The part of a process other than 0 in `run` and in `energy`; returns when that ends. Throws
/// fg::Error if process 0 throws it too.
void serve(const RunOptions& options);
void serve_energy(const RunOptions& options, ForceParts parts = ForceParts::all);

}  // namespace fg::app
