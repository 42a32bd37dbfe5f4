// SPDX-License-Identifier: BSD-3-Clause
//
// One of the processes that mpiexec has started for a test.
#pragma once

#include <string>

#include "processes/machine_options.hpp"
#include "support/mpi_transport.hpp"

namespace fg::test {

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
