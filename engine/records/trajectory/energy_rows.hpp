// SPDX-License-Identifier: BSD-3-Clause
//
// The rows of an energies.csv, read back.
// Units: as in the file, ps, kJ/mol and K.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace fg {

struct StoredRow {
  static constexpr std::size_t potential = 0, kinetic = 1, total = 2, temperature = 3,
                               conserved = 4;
  // Only a periodic box has these.
  static constexpr std::size_t pressure = 5, volume = 6, density = 7;

  std::int64_t step = 0;
  double time = 0;
  std::vector<double> values;  // energy_columns, then the terms
};

/// The rows up to the first incomplete one; none if the file does not exist.
std::vector<StoredRow> stored_rows(const std::string& path);

}  // namespace fg
