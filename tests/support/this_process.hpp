// SPDX-License-Identifier: BSD-3-Clause
//
// One of the processes that mpiexec has started for a test.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <string>

#include "processes/machine_options.hpp"
#include "records/hdf5/memory_file.hpp"
#include "support/mpi_transport.hpp"

namespace fg::test {

inline bool is_first() {
  return transport().rank() == 0;
}

/// The options of a run on all processes.
inline MachineOptions shared(int pes, const std::string& map = "block", int comm_threads = 0) {
  return {.pes = pes,
          .transport = &transport(),
          .comm_threads = comm_threads,
          .map = map,
          .pin = false};
}

/// A place for checkpoints in memory of one run on all processes. It is removed
/// with this object by the first process, at whose end the others have written all.
class KeptInMemory {
 public:
  KeptInMemory(std::uint64_t run, std::int64_t every) {
    const std::string digits = std::to_string(::getppid()) + "0" + std::to_string(run);
    std::string folder = new_memory_folder();
    if (folder.empty()) return;
    // The digits are random, and each process has others; mpiexec is the parent of all.
    folder.replace(folder.size() - 32, 32, std::string(32 - digits.size(), '0') + digits);
    plan_ = {.folder = folder, .every = every, .partners = {}, .job_digest = std::string(64, 'd')};
    const int processes = transport().processes();
    for (int i = 0; i < processes; ++i) plan_.partners.push_back((i + 1) % processes);
  }
  KeptInMemory(const KeptInMemory&) = delete;
  KeptInMemory& operator=(const KeptInMemory&) = delete;
  ~KeptInMemory() {
    if (is_first()) remove_memory_folder(plan_.folder);
  }

  const MemoryPlan& plan() const noexcept { return plan_; }
  /// The number of complete states.
  std::size_t states() const { return read_memory_folder(plan_.folder, plan_.job_digest).size(); }

 private:
  MemoryPlan plan_;
};

}  // namespace fg::test
