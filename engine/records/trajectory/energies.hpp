// SPDX-License-Identifier: BSD-3-Clause
//
// The energies of a run, one row per energy step, and their table as comma-separated values.
// Units: rows arrive in Hartree atomic units and are written in ps, kJ/mol and K.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/virial.hpp"
#include "records/files/csv_table.hpp"

namespace fg {

/// One row; `terms` are in the order of the names given to the writers.
struct EnergyRow {
  std::int64_t step = 0;
  double time = 0;
  double potential = 0;
  double kinetic = 0;
  double total = 0;        // potential + kinetic
  double conserved = 0;    // total without what baths have given
  double temperature = 0;  // k_B T
  double volume = 0;
  double density = 0;
  Virial pressure{};  // of the fragments' centres: xx yy zz xy xz yz
  std::vector<double> terms;
};

struct EnergyColumn;  // energy_columns.hpp

/// energies.csv. When write() returns, the row has left the process.
class EnergyTable {
 public:
  /// With `resume_after`, rows of later steps are removed and new ones are appended; a table that
  /// is not there is begun.
  EnergyTable(std::string path, bool periodic, std::vector<std::string> term_names,
              std::optional<std::int64_t> resume_after = std::nullopt);
  ~EnergyTable();
  EnergyTable(const EnergyTable&) = delete;
  EnergyTable& operator=(const EnergyTable&) = delete;

  void write(const EnergyRow& row);
  /// Waits until all rows are on the disk.
  void sync();

 private:
  std::vector<EnergyColumn> columns_;
  std::size_t terms_;
  CsvTable table_;
};

}  // namespace fg
