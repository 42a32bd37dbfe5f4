// SPDX-License-Identifier: BSD-3-Clause
//
// finegrain-engine-openmpi and finegrain-engine-mpich: the engine in processes started by mpiexec
// or a batch system.
#include <fmt/format.h>

#include "app/engine_command.hpp"
#include "app/standard_streams.hpp"
#include "base/error.hpp"
#include "transport/mpi/mpi_transport.hpp"

int main(int argc, char** argv) {
  fg::app::open_standard_streams();
  try {
    const std::vector<std::string_view> words(argv + 1, argv + argc);
    const auto transport = fg::make_mpi_transport({.channels = fg::app::channels_wanted(words)});
    return fg::app::engine_command(words, transport.get());
  } catch (const fg::Error& error) {
    fg::app::complain(fmt::format("finegrain-engine: {}\n", error.what()));
    return error.exit_status();
  }
}
