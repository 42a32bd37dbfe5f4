// SPDX-License-Identifier: BSD-3-Clause
//
// finegrain-engine-openmpi and finegrain-engine-mpich: the engine in the processes that mpiexec or
// a batch system starts.
#include <fmt/core.h>

#include "app/engine_command.hpp"
#include "base/error.hpp"
#include "transport/mpi/mpi_transport.hpp"

int main(int argc, char** argv) {
  try {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const auto transport = fg::make_mpi_transport({.channels = fg::app::channels_wanted(words)});
    return fg::app::engine_command(words, transport.get());
  } catch (const fg::Error& error) {
    fmt::print(stderr, "finegrain-engine: {}\n", error.what());
    return error.exit_status();
  }
}
