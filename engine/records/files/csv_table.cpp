// SPDX-License-Identifier: BSD-3-Clause
#include "records/files/csv_table.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "base/error.hpp"
#include "records/files/files.hpp"

namespace fg {

namespace {

std::string heading_of(const std::vector<std::string>& headings) {
  std::string line;
  for (const std::string& one : headings) line += (line.empty() ? "" : ",") + one;
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

CsvTable::CsvTable(std::string path, const std::vector<std::string>& headings,
                   std::optional<std::int64_t> resume_after)
    : path_(std::move(path)), columns_(headings.size()) {
  const std::string first = heading_of(headings);
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

CsvTable::~CsvTable() {
  if (file_ >= 0) ::close(file_);
}

void CsvTable::sync() {
  if (::fsync(file_) != 0) throw_write_failure(path_, errno);
}

void CsvTable::append(const std::string& text) {
  write_all(file_, std::as_bytes(std::span(text)), path_);
}

void CsvTable::write(std::int64_t step, const std::string& time, std::span<const double> values) {
  FG_CHECK(values.size() + 2 == columns_);
  std::string line = std::to_string(step) + "," + time;
  // Seventeen digits represent a double exactly, so that drifts can be calculated from the table.
  char field[64];
  for (const double value : values) {
    std::snprintf(field, sizeof field, ",%.17g", value);
    line += field;
  }
  append(line + "\n");
}

}  // namespace fg
