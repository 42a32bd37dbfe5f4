// SPDX-License-Identifier: BSD-3-Clause
//
// The trace of a run as a file, one for each process:
// - "FGTRACE1";
// - the length of the heading as a 64-bit number;
// - the heading in JSON (host, clock, names, number of records of each PE);
// - the records of one PE after the other as they were in memory.
// docs/how-to/trace.md describes it for other readers.
#pragma once

#include <cstddef>
#include <functional>
#include <string>

#include "runtime/trace.hpp"

namespace fg {

/// Number of records kept for each PE, 48 bytes each. Simulated nodes are in one process.
#ifdef FG_SIMULATED
inline constexpr std::size_t trace_records = std::size_t{1} << 15;
#else
inline constexpr std::size_t trace_records = std::size_t{1} << 20;
#endif

/// "folder/trace.0.bin"
std::string trace_path(const std::string& folder, int process = 0);

/// Replaces the file when all is written; otherwise throws a ResourceError and leaves the old file
/// unchanged.
void write_trace(const std::string& path, const Trace& trace, int process = 0);

/// Removes the traces of processes 1 and higher of an earlier run. A run with fewer processes, or
/// one whose disk becomes full, must not leave them beside its own.
void remove_traces_of_others(const std::string& folder);

/// Writes the trace of a run once. It does so when asked to, or at the latest when it goes out of
/// scope because of a failure.
class TraceOutput {
 public:
  /// Made before the run; process 0 removes the traces of other processes.
  TraceOutput(std::function<Trace()> trace, const std::string& folder, int process = 0);
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;
  ~TraceOutput() { write(); }

  /// Returns the reason if the trace could not be written; the run itself continues.
  std::string write();

 private:
  const std::function<Trace()> trace_;
  const std::string path_;
  const int process_;
  bool written_ = false;
};

}  // namespace fg
