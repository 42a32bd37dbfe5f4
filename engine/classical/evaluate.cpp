// SPDX-License-Identifier: BSD-3-Clause
#include "classical/evaluate.hpp"

#include <numeric>

#include "base/units.hpp"

namespace fg::classical {

namespace {

/// The energies that are no potential energy come last.
constexpr auto potentials = energy_terms.first(energy_term("kinetic"));

}  // namespace

PotentialTerms::PotentialTerms(const System& system)
    : reported_(reported_energies(system.job().terms, !system.restraints().empty())) {}

std::vector<std::string> PotentialTerms::names() const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < potentials.size(); ++i)
    if (reported_[i]) names.emplace_back(potentials[i]);
  names.emplace_back("dispersion");
  return names;
}

std::vector<double> PotentialTerms::of(const EnergyTotals& totals) const {
  std::vector<double> terms;
  for (std::size_t i = 0; i < potentials.size(); ++i)
    if (reported_[i]) terms.push_back(totals.terms[i]);
  terms.push_back(totals.dispersion);
  return terms;
}

std::array<double, 6> PotentialTerms::virial(const EnergyTotals& totals) const {
  auto virial = totals.virial;
  // It is proportional to 1/volume: stretching one axis by a share s changes it by -s times its
  // value.
  for (int axis = 0; axis < 3; ++axis) virial[axis] += totals.dispersion;
  return virial;
}

double sum(const std::vector<double>& terms) noexcept {
  return std::accumulate(terms.begin(), terms.end(), 0.0);
}

Evaluation evaluate(Machinery& machinery, OutputQueue& output, const System& system,
                    const State& state) {
  auto dynamics = system.job().dynamics;
  dynamics.com_interval = 0;
  // So that the forces are those of the potential.
  dynamics.pair_interval = dynamics.long_range_interval = 1;
  dynamics.thermostat_time = 0;
  dynamics.barostat = BarostatKind::none;
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

EnergyResult energy_result(const System& system, const Evaluation& evaluation) {
  const PotentialTerms potential(system);
  const auto values = potential.of(evaluation.totals);
  const auto names = potential.names();
  EnergyResult result;
  for (std::size_t i = 0; i < names.size(); ++i)
    result.terms.emplace_back(names[i], values[i] * units::hartree_in_kj_per_mol);
  result.terms.emplace_back("total", sum(values) * units::hartree_in_kj_per_mol);
  result.forces.reserve(3 * evaluation.frame.force.size());
  for (const auto& force : evaluation.frame.force)
    for (int axis = 0; axis < 3; ++axis)
      result.forces.push_back(force[axis] * units::force_in_kj_per_mol_nm);
  result.virial = potential.virial(evaluation.totals);
  for (auto& component : result.virial) component *= units::hartree_in_kj_per_mol;
  return result;
}

}  // namespace fg::classical
