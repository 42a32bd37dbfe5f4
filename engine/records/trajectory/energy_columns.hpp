// SPDX-License-Identifier: BSD-3-Clause
//
// The columns of a row of energies before its terms: the one list for energies.csv and the
// trajectory. Units: rows are in Hartree atomic units; `factor` gives the unit that is named.
#pragma once

#include <string_view>
#include <vector>

#include "records/trajectory/energies.hpp"

namespace fg {

struct EnergyColumn {
  std::string_view heading;     // in energies.csv
  std::string_view observable;  // in the trajectory
  std::string_view unit;        // there
  double factor;
  double (*of)(const EnergyRow&);

  double value(const EnergyRow& row) const { return of(row) * factor; }
};

/// An open box has no columns for pressure, volume and density.
std::vector<EnergyColumn> energy_columns(bool periodic);

}  // namespace fg
