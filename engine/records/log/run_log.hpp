// SPDX-License-Identifier: BSD-3-Clause
//
// run.log: the job, the machine, every setting that changes the physics, the warnings, and how the
// run ended. Plain text for the user; each line is on disk when the call returns.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "records/job/job.hpp"

namespace fg {

class RunLog {
 public:
  /// With `append` an existing log is continued, after a line that says so.
  explicit RunLog(std::string path, bool append = false);
  ~RunLog();
  RunLog(const RunLog&) = delete;
  RunLog& operator=(const RunLog&) = delete;

  void heading(std::string_view title);
  void line(std::string_view text);
  /// "  name ............ value"
  void entry(std::string_view name, std::string_view value);
  void warning(std::string_view text);
  /// Columns are aligned; the first row is the heading.
  void table(const std::vector<std::vector<std::string>>& rows);

  const std::vector<std::string>& warnings() const noexcept { return warnings_; }
  const std::string& path() const noexcept { return path_; }

 private:
  void append(std::string_view words);

  std::string path_;
  std::vector<std::string> warnings_;
  int file_ = -1;
};

/// Processor, memory, host name and operating system, as name and value.
std::vector<std::pair<std::string, std::string>> describe_machine();

/// Every setting of the job in the usual units, as name and value: cutoffs, switching, mesh, spline
/// order, dispersion, constraints, integrator, intervals and the division into objects.
std::vector<std::pair<std::string, std::string>> describe_job(const Job& job);

/// A number with a unit, with enough digits to identify it: "0.9 nm".
std::string quantity(double value, std::string_view unit);

}  // namespace fg
