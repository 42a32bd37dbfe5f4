// SPDX-License-Identifier: BSD-3-Clause
//
// The trace of a run as a file, one for each process: "FGTRACE1", the length of a heading as a
// 64-bit number, the heading in JSON (host, clock, names, how many records each PE has), then the
// records of PE after PE as they lay in memory. docs/how-to/trace.md describes it for other
// readers.
#pragma once

#include <cstddef>
#include <string>

#include "app/machinery.hpp"
#include "runtime/trace.hpp"

namespace fg::app {

/// Records kept of each PE, 48 bytes each.
inline constexpr std::size_t trace_records = std::size_t{1} << 20;

/// "folder/trace.0.bin"
std::string trace_path(const std::string& folder, int process = 0);

/// Replaces the file when all is written; a ResourceError, and the old one untouched, otherwise.
void write_trace(const std::string& path, const Trace& trace, int process = 0);

/// Takes away what processes 1 and on left of an earlier run: one on fewer of them, or one whose
/// disk fills up, must not find them beside its own.
void remove_traces_of_others(const std::string& folder);

/// Writes the trace of a machinery's last run once: when told to, or at the latest when it goes out
/// of scope because something failed.
class TraceOutput {
 public:
  /// Before the run, when process 0 takes away those of others.
  TraceOutput(const Machinery& machinery, const std::string& folder, int process = 0);
  TraceOutput(const TraceOutput&) = delete;
  TraceOutput& operator=(const TraceOutput&) = delete;
  ~TraceOutput() { write(); }

  /// Why the trace could not be written, if so: no reason to lose the run as well.
  std::string write();

 private:
  const Machinery& machinery_;
  const std::string path_;
  const int process_;
  bool written_ = false;
};

}  // namespace fg::app
