// SPDX-License-Identifier: BSD-3-Clause
//
// finegrain-engine: the engine in one process.
#include "app/engine_command.hpp"
#include "app/standard_streams.hpp"

int main(int argc, char** argv) {
  fg::app::open_standard_streams();
  return fg::app::engine_command({argv + 1, argv + argc}, nullptr);
}
