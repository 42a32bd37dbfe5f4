// SPDX-License-Identifier: BSD-3-Clause
//
// A table of numbers by step as comma-separated values. It grows during a run. When the run is
// resumed, it is cut back to a step. Units: those that its heading names.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// When write() returns, the row has left the process.
class CsvTable {
 public:
  /// The first column is the step. With `resume_after`, rows of later steps are removed and new
  /// ones are appended; a table that is not there is begun. Throws InputError if a table with other
  /// headings is there.
  CsvTable(std::string path, const std::vector<std::string>& headings,
           std::optional<std::int64_t> resume_after = std::nullopt);
  ~CsvTable();
  CsvTable(const CsvTable&) = delete;
  CsvTable& operator=(const CsvTable&) = delete;

  /// `time` is the text of the second column; there are as many values as other headings.
  void write(std::int64_t step, const std::string& time, std::span<const double> values);
  /// Waits until all rows are on the disk.
  void sync();

 private:
  void append(const std::string& text);

  std::string path_;
  std::size_t columns_;
  int file_ = -1;
};

}  // namespace fg
