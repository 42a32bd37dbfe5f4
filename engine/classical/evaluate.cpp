// SPDX-License-Identifier: BSD-3-Clause
#include "classical/evaluate.hpp"

#include <numeric>

namespace fg::classical {

namespace {

/// The energies that are no potential energy come last.
constexpr auto potentials = energy_terms.first(energy_term("kinetic"));

}  // namespace

PotentialTerms::PotentialTerms(const System& system)
    : reported_(reported_energies(system.job().terms, !system.restraints().empty())) {
  const auto& job = system.job();
  dispersion_ = job.settings.dispersion_coefficient / Box{job.box}.volume();
}

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
  terms.push_back(dispersion_);
  return terms;
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
