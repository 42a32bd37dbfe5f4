// SPDX-License-Identifier: BSD-3-Clause
//
// The columns of a row of energies of a dynamics: the one list for energies.csv and the trajectory.
// Units: steps are in Hartree atomic units; `factor` gives the unit that is named.
#pragma once

#include <string>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/results/dynamics_step.hpp"
#include "records/trajectory/output_plan.hpp"
#include "records/trajectory/trajectory_contents.hpp"

namespace fg::ab_initio {

struct DynamicsColumn {
  std::string heading;     // in energies.csv, without the unit
  std::string observable;  // in the trajectory
  std::string unit;        // empty: a number
  double factor;
  double (*of)(const DynamicsStep&);
};

/// The columns that the kind of dynamics has, before the terms of the energy.
std::vector<DynamicsColumn> dynamics_columns(const DynamicsSettings& dynamics);

/// What a row has after step and time. First come all columns, then the forces of constraints, each
/// named by its ions. The terms of the energy come last.
class DynamicsRow {
 public:
  explicit DynamicsRow(const Job& job);

  /// The headings of energies.csv, step and time included.
  std::vector<std::string> headings() const;
  std::vector<Observable> observables() const;
  std::vector<double> values(const DynamicsStep& step) const;
  /// What the run promises to write, for one that goes on.
  OutputPlan plan() const;

 private:
  DynamicsSettings dynamics_;
  std::vector<DynamicsColumn> columns_;
  std::vector<std::string> distances_, terms_;
};

}  // namespace fg::ab_initio
