// SPDX-License-Identifier: BSD-3-Clause
//
// The choice of the kind of run. In this version every job is classical.
#include "app/simulation.hpp"

#include "classical/run.hpp"

namespace fg::app {

RunResult run(const RunOptions& options, const std::function<bool(const Progress&)>& on_progress) {
  return classical::run(options, on_progress);
}

EnergyResult energy(const RunOptions& options, ForceParts parts) {
  return classical::energy(options, parts);
}

void serve(const RunOptions& options) {
  classical::serve(options);
}

void serve_energy(const RunOptions& options, ForceParts parts) {
  classical::serve_energy(options, parts);
}

}  // namespace fg::app
