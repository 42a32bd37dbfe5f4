// SPDX-License-Identifier: BSD-3-Clause
#include "app/energies.hpp"

#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "app/files.hpp"
#include "base/error.hpp"
#include "base/units.hpp"

namespace fg::app {

namespace {

std::string heading(const std::vector<std::string>& term_names) {
  std::string line =
      "step,time (ps),potential energy (kJ/mol),kinetic energy (kJ/mol),total energy (kJ/mol),"
      "temperature (K)";
  for (const std::string& name : term_names) line += "," + name + " (kJ/mol)";
  return line + "\n";
}

/// The rows of an older table up to and including `last_step`, without a row cut short by a crash.
std::string kept_rows(const std::string& path, const std::string& expected_heading,
                      std::int64_t last_step) {
  const std::vector<std::byte> bytes = read_whole_file(path);
  const std::string old(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  if (old.compare(0, expected_heading.size(), expected_heading) != 0)
    throw InputError({.what = "this table was not begun by the run that goes on",
                      .where = path,
                      .hint = "move the file away, or give another folder"});
  std::string kept = expected_heading;
  std::size_t start = expected_heading.size();
  for (std::size_t end; (end = old.find('\n', start)) != std::string::npos; start = end + 1) {
    if (std::strtoll(old.c_str() + start, nullptr, 10) > last_step) break;
    kept.append(old, start, end + 1 - start);
  }
  return kept;
}

/// Nothing, or that the last row is not that of `step`.
std::string missing_rows(const std::string& kept, const std::string& path, std::int64_t step) {
  const std::size_t last = kept.rfind('\n', kept.size() - 2) + 1;
  const std::int64_t found = std::strtoll(kept.c_str() + last, nullptr, 10);
  if (last != 0 && found >= step) return {};
  return path + " lacks the rows up to step " + std::to_string(step) +
         (last != 0 && found > 0 ? " from after step " + std::to_string(found) : "") +
         "; the run itself is not harmed";
}

}  // namespace

EnergyTable::EnergyTable(std::string path, std::vector<std::string> term_names,
                         std::optional<std::int64_t> resume_after, std::int64_t interval)
    : path_(std::move(path)), term_names_(std::move(term_names)) {
  const std::string first = heading(term_names_);
  if (resume_after && file_exists(path_)) {
    const std::string kept = kept_rows(path_, first, *resume_after);
    if (interval > 0) warning_ = missing_rows(kept, path_, *resume_after / interval * interval);
    replace_file(path_, std::as_bytes(std::span(kept)));
    file_ = open_for_append(path_, false);
    return;
  }
  file_ = open_for_append(path_, true);
  append(first);
}

EnergyTable::~EnergyTable() {
  if (file_ >= 0) ::close(file_);
}

void EnergyTable::append(const std::string& text) {
  write_all(file_, std::as_bytes(std::span(text)), path_);
}

void EnergyTable::write(const EnergyRow& row) {
  FG_CHECK(row.terms.size() == term_names_.size());
  // Seventeen digits hold a double whole, so that drifts can be taken from the table.
  char field[64];
  std::snprintf(field, sizeof field, "%lld,%.6f", static_cast<long long>(row.step),
                row.time * units::time_in_ps);
  std::string line = field;
  const auto add = [&](const char* form, double value) {
    std::snprintf(field, sizeof field, form, value);
    line += field;
  };
  add(",%.17g", row.potential * units::hartree_in_kj_per_mol);
  add(",%.17g", row.kinetic * units::hartree_in_kj_per_mol);
  add(",%.17g", row.total * units::hartree_in_kj_per_mol);
  add(",%.6f", row.temperature * units::hartree_in_kelvin);
  for (const double term : row.terms) add(",%.17g", term * units::hartree_in_kj_per_mol);
  append(line + "\n");
}

}  // namespace fg::app
