// SPDX-License-Identifier: BSD-3-Clause
//
// The two functions of runs/run.hpp that evaluate a job once.
#include "processes/ranks.hpp"
#include "runs/run.hpp"

namespace fg {

namespace {

/// The objects of one evaluation, in this process.
struct Evaluated {
  std::unique_ptr<Calculation> calculation;
  RunObjects* objects = nullptr;
};

Evaluated prepare(const RunOptions& options, const LoadCalculation& load, ForceParts parts) {
  Evaluated made;
  MachineOptions machine;
  together(options.transport, [&] {
    made.calculation = load();
    machine = machine_options(options);
  });
  machine.profile = false;
  machine.trace = 0;
  machine.pairs_only = parts == ForceParts::pairs;
  made.objects = &made.calculation->make_objects(machine);
  return made;
}

}  // namespace

EnergyResult energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts) {
  return prepare(options, load, parts).calculation->energy();
}

void serve_energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts) {
  prepare(options, load, parts).objects->serve();
}

}  // namespace fg
