// SPDX-License-Identifier: BSD-3-Clause
//
// Runs in several processes. Usage: mpiexec -n PROCESSES example_heat_openmpi [PEs of each]
#include <cstdlib>

#include "tile.hpp"
#include "transport/mpi/mpi_transport.hpp"

int main(int argc, char** argv) {
  const auto transport = fg::make_mpi_transport();
  const int pes = argc > 1 ? std::atoi(argv[1]) : 1;
  return heat::spread({.pes = pes, .transport = transport.get()}) ? 0 : 1;
}
