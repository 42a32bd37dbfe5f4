// SPDX-License-Identifier: BSD-3-Clause
#include "records/energies.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

#include "base/error.hpp"
#include "base/units.hpp"
#include "records/energy_columns.hpp"
#include "records/files.hpp"

namespace fg {

namespace {

std::string heading(const std::vector<EnergyColumn>& columns,
                    const std::vector<std::string>& term_names) {
  std::string line = "step,time (ps)";
  for (const EnergyColumn& column : columns) line += "," + std::string(column.heading);
  for (const std::string& name : term_names) line += "," + name + " (kJ/mol)";
  return line + "\n";
}

/// The size of an older table up to and including `last_step`, without a row cut short by a crash.
std::size_t kept_size(const std::string& path, const std::string& expected_heading,
                      std::int64_t last_step) {
  const std::vector<std::byte> bytes = read_whole_file(path);
  const std::string old(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (old.compare(0, expected_heading.size(), expected_heading) != 0)
    throw InputError({.what = "this table belongs to another run than the one that is resumed",
                      .where = path,
                      .hint = "move the file away, or use another folder"});
  std::size_t start = expected_heading.size();
  for (std::size_t end; (end = old.find('\n', start)) != std::string::npos; start = end + 1)
    if (std::strtoll(old.c_str() + start, nullptr, 10) > last_step) break;
  return start;
}

}  // namespace

EnergyTable::EnergyTable(std::string path, bool periodic, std::vector<std::string> term_names,
                         std::optional<std::int64_t> resume_after)
    : path_(std::move(path)),
      columns_(energy_columns(periodic)),
      term_names_(std::move(term_names)) {
  const std::string first = heading(columns_, term_names_);
  if (resume_after && file_exists(path_)) {
    const std::size_t kept = kept_size(path_, first, *resume_after);
    file_ = open_for_append(path_, false);
    if (::ftruncate(file_, static_cast<off_t>(kept)) != 0) throw_write_failure(path_, errno);
    return;
  }
  file_ = open_for_append(path_, true);
  append(first);
  sync_folder_of(path_);
}

void EnergyTable::sync() {
  if (::fsync(file_) != 0) throw_write_failure(path_, errno);
}

EnergyTable::~EnergyTable() {
  if (file_ >= 0) ::close(file_);
}

void EnergyTable::append(const std::string& text) {
  write_all(file_, std::as_bytes(std::span(text)), path_);
}

void EnergyTable::write(const EnergyRow& row) {
  FG_CHECK(row.terms.size() == term_names_.size());
  // Seventeen digits represent a double exactly, so that drifts can be calculated from the table.
  char field[64];
  std::snprintf(field, sizeof field, "%lld,%.6f", static_cast<long long>(row.step),
                row.time * units::time_in_ps);
  std::string line = field;
  const auto add = [&](double value) {
    std::snprintf(field, sizeof field, ",%.17g", value);
    line += field;
  };
  for (const EnergyColumn& column : columns_) add(column.value(row));
  for (const double term : row.terms) add(term * units::hartree_in_kj_per_mol);
  append(line + "\n");
}

}  // namespace fg
