// SPDX-License-Identifier: BSD-3-Clause
//
// A run of any kind, from its job to its last file, and one evaluation: what the functions of the
// same names in app/simulation.hpp promise. `load` makes the calculation, in every process.
#pragma once

#include <functional>
#include <memory>

#include "runs/calculation.hpp"

namespace fg {

using LoadCalculation = std::function<std::unique_ptr<Calculation>()>;

RunResult run(const RunOptions& options, const LoadCalculation& load,
              const OnProgress& on_progress);
EnergyResult energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts);

/// For processes other than 0.
void serve(const RunOptions& options, const LoadCalculation& load);
void serve_energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts);

}  // namespace fg
