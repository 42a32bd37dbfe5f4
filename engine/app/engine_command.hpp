// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of the engine's own executables, which run or evaluate a job file without an
// interpreter. People use `finegrain`; this is what `mpiexec` and batch scripts start.
// Exit status: 0 done, 1 bad input, 2 machine, 3 numerics, 4 our defect, 75 stopped and resumable.
#pragma once

#include <string_view>
#include <vector>

namespace fg {
class Transport;
}

namespace fg::app {

/// Ways between the processes that the command line has use for: one for each communication thread.
int channels_wanted(const std::vector<std::string_view>& words);

/// `words` without the program's name; `transport` to the other processes of the run, or null. Says
/// on standard error what went wrong, in process 0, and returns the exit status.
int engine_command(const std::vector<std::string_view>& words, Transport* transport);

}  // namespace fg::app
