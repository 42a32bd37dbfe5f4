// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/energies.hpp"

#include <cstdio>
#include <utility>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/trajectory/energy_columns.hpp"

namespace fg {

namespace {

std::vector<std::string> headings(const std::vector<EnergyColumn>& columns,
                                  const std::vector<std::string>& term_names) {
  std::vector<std::string> all{"step", "time (ps)"};
  for (const EnergyColumn& column : columns) all.emplace_back(column.heading);
  for (const std::string& name : term_names) all.push_back(name + " (kJ/mol)");
  return all;
}

}  // namespace

EnergyTable::EnergyTable(std::string path, bool periodic, std::vector<std::string> term_names,
                         std::optional<std::int64_t> resume_after)
    : columns_(energy_columns(periodic)),
      terms_(term_names.size()),
      table_(std::move(path), headings(columns_, term_names), resume_after) {}
EnergyTable::~EnergyTable() = default;

void EnergyTable::sync() {
  table_.sync();
}

void EnergyTable::write(const EnergyRow& row) {
  FG_CHECK(row.terms.size() == terms_);
  std::vector<double> values;
  values.reserve(columns_.size() + row.terms.size());
  for (const EnergyColumn& column : columns_) values.push_back(column.value(row));
  for (const double term : row.terms) values.push_back(term * units::hartree_in_kj_per_mol);
  char time[64];
  std::snprintf(time, sizeof time, "%.6f", row.time * units::time_in_ps);
  table_.write(row.step, time, values);
}

}  // namespace fg
