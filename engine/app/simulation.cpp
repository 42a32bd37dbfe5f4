// SPDX-License-Identifier: BSD-3-Clause
#include "app/simulation.hpp"

#include "app/kinds.hpp"

namespace fg::app {

namespace {

LoadCalculation of_its_kind(const RunOptions& options) {
  return [&] { return load(JobFile(options.job), options); };
}

}  // namespace

RunResult run(const RunOptions& options, const OnProgress& on_progress) {
  return fg::run(options, of_its_kind(options), on_progress);
}

EnergyResult energy(const RunOptions& options, ForceParts parts) {
  return fg::energy(options, of_its_kind(options), parts);
}

std::unique_ptr<Evaluator> make_evaluator(const RunOptions& options) {
  return std::make_unique<Evaluator>(options, of_its_kind(options));
}

void serve(const RunOptions& options) {
  fg::serve(options, of_its_kind(options));
}

void serve_energy(const RunOptions& options, ForceParts parts) {
  fg::serve_energy(options, of_its_kind(options), parts);
}

}  // namespace fg::app
