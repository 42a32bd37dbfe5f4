// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/results/dynamics_watch.hpp"

#include <cmath>
#include <numeric>

#include "base/shown.hpp"

namespace fg::ab_initio {

namespace {

/// The next number to warn of: above this one, by doublings.
double next_above(double limit, double number) {
  while (limit <= number) limit *= 2;
  return limit;
}

double sum_of(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0);
}

}  // namespace

DynamicsWatch::DynamicsWatch(const DynamicsSettings& settings, int ions)
    : settings_(settings), ions_(ions) {}

std::vector<std::string> DynamicsWatch::see(const DynamicsStep& step) {
  std::vector<std::string> warnings;
  trouble_.clear();
  see_start(step, warnings);
  see_drift(step, warnings);
  see_heat(step, warnings);
  return warnings;
}

void DynamicsWatch::see_start(const DynamicsStep& step, std::vector<std::string>& warnings) const {
  if (step.number > 0 || settings_.kind != DynamicsKind::car_parrinello || settings_.ions_rest ||
      step.residual <= loose_residual)
    return;
  warnings.push_back("the orbitals begin beside their ground state, with a residual of " +
                     shown(step.residual, 3) + " hartree (at most " + shown(loose_residual) +
                     " is good): they will swing, and the forces on ions with them; use a smaller "
                     "ground_state.tolerance");
}

void DynamicsWatch::see_drift(const DynamicsStep& step, std::vector<std::string>& warnings) {
  if (!step.conserved_at_start) return;
  const double change = (step.conserved() - *step.conserved_at_start) / ions_;
  if (!(std::abs(change) > noted_change)) return;
  add_trouble("conserved energy off by " + shown(change, 2) + " hartree/ion");
  if (std::abs(change) < drift_said_at_) return;
  drift_said_at_ = next_above(drift_said_at_, std::abs(change));
  warnings.push_back("step " + std::to_string(step.number) +
                     ": the conserved energy has changed by " + shown(change, 3) +
                     " hartree for each ion since step 0 (" + shown(noted_change) +
                     " is the limit of this warning): use a shorter time step or, of a "
                     "Born-Oppenheimer dynamics, a smaller ground_state.tolerance");
}

void DynamicsWatch::see_heat(const DynamicsStep& step, std::vector<std::string>& warnings) {
  if (settings_.kind != DynamicsKind::car_parrinello || settings_.ions_rest ||
      settings_.electron_bath.kind != ElectronBathKind::none)
    return;
  if (fictitious_.size() < rows_of_mean) {
    fictitious_.push_back(step.fictitious_kinetic);
    ion_kinetic_.push_back(step.ion_kinetic);
  } else {
    fictitious_[seen_ % rows_of_mean] = step.fictitious_kinetic;
    ion_kinetic_[seen_ % rows_of_mean] = step.ion_kinetic;
  }
  ++seen_;
  if (seen_ < rows_of_mean) return;
  const auto rows = static_cast<double>(rows_of_mean);
  const double fictitious = sum_of(fictitious_) / rows, ions = sum_of(ion_kinetic_) / rows;
  if (!(fictitious > warm_share * ions)) return;
  const double share = ions > 0 ? fictitious / ions : HUGE_VAL;
  add_trouble("orbitals are hot: " + shown(fictitious, 2) + " hartree");
  if (share < heat_said_at_) return;
  heat_said_at_ = std::isfinite(share) ? next_above(heat_said_at_, share) : share;
  warnings.push_back(
      "step " + std::to_string(step.number) + ": orbitals are hot: their fictitious kinetic " +
      "energy is " + shown(fictitious, 3) + " hartree, that of the ions " + shown(ions, 3) +
      " hartree, means of the last " + std::to_string(rows_of_mean) + " rows (" +
      shown(warm_share) +
      " of it is the limit of this warning): energy flows from ions to "
      "orbitals, or they began beside the ground state; use a smaller fictitious mass with a "
      "shorter time step, heavier hydrogen, or a bath of the orbitals");
}

void DynamicsWatch::add_trouble(const std::string& words) {
  trouble_ += (trouble_.empty() ? "" : ", ") + words;
}

}  // namespace fg::ab_initio
