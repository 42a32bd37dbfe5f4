// SPDX-License-Identifier: BSD-3-Clause
//
// The start of a resumed run: the newest checkpoint that the results reach. Missing results are
// reported, and never ignored silently.
#pragma once

#include <string>

#include "records/checkpoints/checkpoint.hpp"
#include "records/job/job.hpp"
#include "records/options/run_options.hpp"

namespace fg {

struct Resumption {
  Checkpoint checkpoint;
  bool with_journal = true;  // the trajectory is the file with its journal
  std::string warning;       // empty: the results are as the checkpoint says
};

/// Throws InputError if no checkpoint is usable; the error says what is missing and what to do.
Resumption find_start(const RunOptions& options, const Job& job);

}  // namespace fg
