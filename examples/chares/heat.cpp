// SPDX-License-Identifier: BSD-3-Clause
//
// Runs in one process. Usage: example_heat [PEs]
#include <cstdlib>

#include "tile.hpp"

int main(int argc, char** argv) {
  return heat::spread({.pes = argc > 1 ? std::atoi(argv[1]) : 2}) ? 0 : 1;
}
