// SPDX-License-Identifier: BSD-3-Clause
//
// The command line of the engine's own executables, which run or evaluate a job file without an
// interpreter. Users run `finegrain`; `mpiexec` and batch scripts start these.
// Exit status: 0 done, 1 bad input, 2 machine, 3 numerics, 4 our defect, 75 stopped and resumable.
#pragma once

#include <string_view>
#include <vector>

namespace fg {
class Transport;
}

namespace fg::app {

/// The number of channels between processes for this command line: one per communication thread.
int channels_wanted(const std::vector<std::string_view>& words);

/// `words` are without the program's name; `transport` connects the other processes of the run, or
/// is null. Process 0 reports errors on standard error. Returns the exit status.
int engine_command(const std::vector<std::string_view>& words, Transport* transport);

}  // namespace fg::app
