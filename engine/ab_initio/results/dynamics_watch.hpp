// SPDX-License-Identifier: BSD-3-Clause
//
// Says of a dynamics, step by step as they are reported, what is not as it should be. The run
// continues; dynamics_limits.hpp has the rules that end it. The rules here:
//
// * Start. A Car-Parrinello dynamics with ions that move begins with orbitals whose residual is
//   above `loose_residual`. Then they swing about the ground state from the first step.
// * Drift. The conserved energy is further than `noted_change` for each ion from its value at step
//   0.
// * Heat. The ions move, and the orbitals have no bath. Over `rows_of_mean` reports the mean
//   fictitious kinetic energy is above `warm_share` of the mean kinetic energy of the ions.
//   Orbitals that follow the ions have a tenth or so.
//
// A warning of drift or heat comes again when its number has doubled. Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "ab_initio/job/dynamics_settings.hpp"
#include "ab_initio/results/dynamics_step.hpp"

namespace fg::ab_initio {

inline constexpr double loose_residual = 1e-4;  // hartree
inline constexpr double noted_change = 1e-3;    // hartree for each ion
inline constexpr double warm_share = 0.5;
inline constexpr std::size_t rows_of_mean = 50;

class DynamicsWatch {
 public:
  DynamicsWatch(const DynamicsSettings& settings, int ions);

  /// Takes in the next report; returns new warnings, each a sentence with its numbers.
  std::vector<std::string> see(const DynamicsStep& step);
  /// What is wrong at the latest report, in a few words for a line of progress; empty: nothing.
  const std::string& trouble() const noexcept { return trouble_; }

 private:
  void see_start(const DynamicsStep& step, std::vector<std::string>& warnings) const;
  void see_drift(const DynamicsStep& step, std::vector<std::string>& warnings);
  void see_heat(const DynamicsStep& step, std::vector<std::string>& warnings);
  void add_trouble(const std::string& words);

  DynamicsSettings settings_;
  int ions_;
  double drift_said_at_ = noted_change, heat_said_at_ = warm_share;  // the next warning
  std::vector<double> fictitious_, ion_kinetic_;  // of the last reports, in turns
  std::size_t seen_ = 0;
  std::string trouble_;
};

}  // namespace fg::ab_initio
