// SPDX-License-Identifier: BSD-3-Clause
//
// What runs/run.hpp has for evaluations of a job.
#include "base/error.hpp"
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

EnergyResult Calculation::energy_at(std::span<const Vec3>) {
  throw InputError({.what = "only an ab initio job can be evaluated at other positions",
                    .hint = "make a job for each geometry"});
}

void Calculation::save_for_another(const std::string& path) {
  throw InputError({.what = "only an ab initio job has orbitals to save", .where = path});
}

Evaluator::Evaluator(const RunOptions& options, const LoadCalculation& load)
    : calculation_(prepare({.job = options.job,
                            .pes = options.pes,
                            .map = options.map,
                            .companion_seconds = options.companion_seconds},
                           load, ForceParts::all)
                       .calculation) {}

EnergyResult Evaluator::energy_at(std::span<const Vec3> positions) {
  usable_ = false;
  EnergyResult found = calculation_->energy_at(positions);
  usable_ = true;
  return found;
}

void Evaluator::save(const std::string& path) {
  FG_CHECK(usable_);
  calculation_->save_for_another(path);
}

void serve_energy(const RunOptions& options, const LoadCalculation& load, ForceParts parts) {
  prepare(options, load, parts).objects->serve();
}

}  // namespace fg
