// SPDX-License-Identifier: BSD-3-Clause
//
// The transport of a test that mpiexec has started in several processes; where FG_TEST_APART is set
// they share no memory.
#pragma once

#include <cstdlib>
#include <memory>

#include "transport/mpi/mpi_transport.hpp"

namespace fg::test {

inline Transport& transport() {
  static const std::unique_ptr<Transport> all =
      make_mpi_transport({.channels = 2, .share_memory = std::getenv("FG_TEST_APART") == nullptr});
  return *all;
}

}  // namespace fg::test
