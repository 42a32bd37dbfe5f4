// SPDX-License-Identifier: BSD-3-Clause
//
// The state of a run as files of a memory file system (tmpfs), which outlive the processes. Each
// process has two files that take turns, each with some records of one step. What the bytes of a
// record mean is known to the kind of run. A record carries its checksum, so that one cut short by
// a kill is detected.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace fg {

/// A name such as "/dev/shm/finegrain-1000-<32 random digits>" for one run on every host; the
/// folder is not created. It is in FINEGRAIN_MEMORY_DIR, or on the system's memory file system;
/// empty if there is none.
std::string new_memory_folder();

/// Removes a folder of such a name with all files of this kind; does nothing to other folders.
void remove_memory_folder(const std::string& folder) noexcept;
/// Removes the files of one process, and the folder if it is then empty.
void remove_memory_of(const std::string& folder, int process) noexcept;

/// Writes what one process keeps. Begins a new file, in place of the older of the two, whenever the
/// step changes; creates the folder.
class MemoryFile {
 public:
  MemoryFile(std::string folder, int process, std::string job_digest);
  ~MemoryFile();
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  /// ResourceError if there is no space.
  void write(std::int64_t step, std::int64_t number, std::span<const std::byte> record);

 private:
  void begin(std::int64_t step);
  void close() noexcept;

  std::string folder_;
  std::string job_digest_;
  int process_;
  std::string path_;  // of the open file
  int file_ = -1;
  int slot_ = 1;
  std::int64_t step_ = -1;
};

/// Records by their number, and all of them by step; each record once.
using KeptRecords = std::map<std::int64_t, std::vector<std::byte>>;
using KeptSteps = std::map<std::int64_t, KeptRecords>;

/// All complete records of this job in the folder; none if it cannot be read.
KeptSteps read_memory_folder(const std::string& folder, const std::string& job_digest);

}  // namespace fg
