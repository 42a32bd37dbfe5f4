// SPDX-License-Identifier: BSD-3-Clause
//
// One of the processes that mpiexec has started for a test; where FG_TEST_APART is set they share
// no memory.
#pragma once

#include <cstdlib>
#include <memory>
#include <string>

#include "processes/machine_options.hpp"
#include "transport/mpi/mpi_transport.hpp"

namespace fg::test {

inline Transport& transport() {
  static const std::unique_ptr<Transport> all =
      make_mpi_transport({.channels = 2, .share_memory = std::getenv("FG_TEST_APART") == nullptr});
  return *all;
}

inline bool is_first() {
  return transport().rank() == 0;
}

/// Those of a run on all processes.
inline MachineOptions shared(int pes, const std::string& map = "block",
                             int communication_threads = 0) {
  return {.pes = pes,
          .transport = &transport(),
          .communication_threads = communication_threads,
          .map = map,
          .pin = false};
}

}  // namespace fg::test
