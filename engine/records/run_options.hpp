// SPDX-License-Identifier: BSD-3-Clause
//
// What the caller of a run asks for. Units: as named.
#pragma once

#include <cstdint>
#include <string>

namespace fg {

class Transport;

struct RunOptions {
  std::string job;  // path of the job file
  std::string out;  // folder for trajectory, energies, log and checkpoints; created if missing
  int pes = 1;      // worker threads of each process
  Transport* transport = nullptr;  // connects the other processes of the run; null: there are none
  int communication_threads = 0;   // threads for the network; 0: the workers drive it
  std::string map = "block";       // where objects live: "block", "round-robin" or "hashed"
  std::string balance = "none";    // or "refine", "greedy", "bisection", "random"
  std::int64_t balance_interval = 1000;  // steps between two rounds of balancing
  std::string resume;                    // checkpoint to continue from; empty: start from the job
  std::int64_t memory_every = 0;         // steps between two checkpoints in memory; 0: none
  bool ignore_memory = false;  // use the checkpoint on disk even if one in memory is newer
  bool new_results = false;    // begin new files where those before are not whole
  bool pin = true;             // bind workers to cores if there are enough
  bool profile = true;         // measure the time of every entry
  bool trace = false;          // record what ran when; written to trace.0.bin
  // save and stop at the first rebuild at or after this step; -1: do not stop
  std::int64_t stop_after_step = -1;
  std::int64_t steps = -1;        // total number of steps instead of the job's
  double hours = 0;               // of wall time, then save and stop; 0: no limit
  bool folder_is_locked = false;  // the caller holds the lock of `out` (folder_lock.hpp)
};

/// The forces that `energy` evaluates; the pair forces alone show their error separately from the
/// mesh's.
enum class ForceParts { all, pairs };

}  // namespace fg
