// SPDX-License-Identifier: BSD-3-Clause
#include "classical/evaluate.hpp"

#include <numeric>

namespace fg::classical {

std::vector<std::string> potential_term_names() {
  return {"bond",          "angle",   "torsion", "exception",
          "lennard-jones", "coulomb", "mesh",    "dispersion"};
}

PotentialTerms::PotentialTerms(const System& system) {
  const auto& job = system.job();
  dispersion_ = job.settings.dispersion_coefficient / Box{job.box}.volume();
}

std::vector<double> PotentialTerms::of(const EnergyTotals& totals) const {
  return {totals[EnergyTerm::bond],          totals[EnergyTerm::angle],
          totals[EnergyTerm::torsion],       totals[EnergyTerm::exception],
          totals[EnergyTerm::lennard_jones], totals[EnergyTerm::coulomb],
          totals[EnergyTerm::mesh],          dispersion_};
}

std::array<double, 6> PotentialTerms::virial(const EnergyTotals& totals) const {
  auto virial = totals.virial;
  // It is proportional to 1/volume: stretching one axis by a share s changes it by -s times its
  // value.
  for (int axis = 0; axis < 3; ++axis) virial[axis] += dispersion_;
  return virial;
}

double sum(const std::vector<double>& terms) noexcept {
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

Evaluation evaluate(Machinery& machinery, OutputQueue& output, const System& system,
                    const State& state) {
  auto dynamics = system.job().dynamics;
  dynamics.com_interval = 0;
  dynamics.trajectory_interval = 0;
  State here = state;
  here.step = 0;
  here.stage = VelocityStage::full;
  machinery.run(Schedule(system.job().settings, dynamics, 0, 0), here);
  Evaluation evaluation;
  for (auto& item : output.take(std::chrono::milliseconds(0))) {
    if (auto* totals = std::get_if<EnergyTotals>(&item)) evaluation.totals = *totals;
    if (auto* frame = std::get_if<Frame>(&item)) evaluation.frame = std::move(*frame);
  }
  return evaluation;
}

}  // namespace fg::classical
