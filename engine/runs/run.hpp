// SPDX-License-Identifier: BSD-3-Clause
//
// A run of any kind, from its job to its last file, and one evaluation. They do what the functions
// of the same names in app/simulation.hpp promise. `load` makes the calculation, in every process.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runs/calculation.hpp"

namespace fg {

using LoadCalculation = std::function<std::unique_ptr<Calculation>()>;

RunResult run(const RunOptions& options, const LoadCalculation& load,
              const OnProgress& on_progress);
EnergyResult energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts);

/// The objects of a job, kept for one evaluation after the other, in one process. Positions may be
/// others than those of the job.
class Evaluator {
 public:
  /// Uses only job, pes, map and companion_seconds of `options`. Throws fg::Error if the job cannot
  /// be used.
  Evaluator(const RunOptions& options, const LoadCalculation& load);

  /// Evaluates these positions [atoms; bohr]. Throws fg::Error; then the objects are of no use.
  EnergyResult energy_at(std::span<const Vec3> positions);
  /// What the last evaluation has found, for another job to start from. Throws ResourceError.
  void save(const std::string& path);

 private:
  std::unique_ptr<Calculation> calculation_;
  bool usable_ = false;  // after an evaluation
};

/// For processes other than 0.
void serve(const RunOptions& options, const LoadCalculation& load);
void serve_energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts);

}  // namespace fg
