// SPDX-License-Identifier: BSD-3-Clause
//
// What the caller of a run asks for. The engine's command line and the Python module take what
// options() lists. Units: as named.
#pragma once

#include <cstdint>
#include <string>
#include <tuple>

#include "records/options/option.hpp"

namespace fg {

class Transport;

/// How long a run waits for a program beside it, unless the caller says something else.
inline constexpr double usual_companion_seconds = 600;

struct RunOptions {
  std::string job;                 // path of the job file
  Transport* transport = nullptr;  // connects the other processes of the run; null: there are none
  bool folder_is_locked = false;   // the caller holds the lock of `out` (folder_lock.hpp)

  std::string out;  // created if missing
  int pes = 1;
  int comm_threads = 0;
  std::string map = "cost";
  std::string balance = "none";
  std::int64_t balance_steps = 1000;
  std::string resume;  // empty: start from the job
  std::int64_t memory_checkpoint_steps = 0;
  bool ignore_memory = false;
  bool new_results = false;
  std::int64_t steps = -1;                             // -1: the job's
  double hours = 0;                                    // 0: no limit
  std::int64_t stop_after = -1;                        // -1: do not stop
  double companion_seconds = usual_companion_seconds;  // for one answer
  std::string pin = "cores";
  bool profile = true;
  bool trace = false;

  static constexpr auto options() {
    using R = RunOptions;
    constexpr double most_steps = 1e15;
    return std::tuple{
        Option{"--out", "DIR", &R::out, "folder of the results"},
        Option{"--pes", "N", &R::pes, "worker threads of each process", "pes", 1, 1 << 20},
        Option{"--comm-threads", "K", &R::comm_threads,
               "threads of each process for the network; 0: the workers drive it", "", 0, 64},
        Option{
            "--map", "NAME", &R::map,
            "which thread each object lives on: cost, block, plane, hybrid, round-robin, hashed; "
            "also by array: cost,pairs=hashed",
            "map"},
        Option{"--balance", "NAME", &R::balance,
               "move objects by measured load: refine, greedy, bisection, random", "balance"},
        Option{"--balance-steps", "N", &R::balance_steps, "steps between two rounds of balancing",
               "balance_steps", 1, most_steps},
        Option{"--resume", "FILE", &R::resume, "continue from this checkpoint", "resume"},
        Option{"--memory-checkpoint-steps", "N", &R::memory_checkpoint_steps,
               "steps between two checkpoints in memory, each in two processes; 0: none",
               "memory_checkpoint_steps", 0, most_steps},
        Option{"--ignore-memory", "", &R::ignore_memory,
               "use the checkpoint on disk even if one in memory is newer", "ignore_memory"},
        Option{"--new-results", "", &R::new_results,
               "continue with new files if the old ones are incomplete; these are kept",
               "new_results"},
        Option{"--steps", "N", &R::steps, "total number of steps instead of the job's", "steps", 0,
               most_steps},
        Option{"--hours", "H", &R::hours,
               "stop after so many hours of wall time, with a checkpoint", "hours", 1e-9, 1e9},
        Option{"--stop-after", "N", &R::stop_after,
               "stop at the first rebuild from step N on, with a checkpoint", "stop_after", 0,
               most_steps},
        Option{"--companion-seconds", "S", &R::companion_seconds,
               "wait at most so long for one answer of a program beside the run, such as that of "
               "the dispersion",
               "companion_seconds", 1e-3, 1e9},
        Option{"--pin", "LIST", &R::pin,
               "bind threads to one core each (cores), to none (none), or to these processors of a "
               "host, such as 0-3,8",
               "pin"},
        Option{"--no-profile", "", &R::profile, "do not measure the time per phase", "profile"},
        Option{"--trace", "", &R::trace, "record what ran when, for `finegrain trace DIR`",
               "trace"}};
  }
};

/// The forces that `energy` evaluates; the pair forces alone show their error separately from the
/// mesh's.
enum class ForceParts { all, pairs };

}  // namespace fg
