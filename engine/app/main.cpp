// SPDX-License-Identifier: BSD-3-Clause
//
// finegrain-engine: the engine in one process.
#include "app/engine_command.hpp"

int main(int argc, char** argv) {
  return fg::app::engine_command({argv + 1, argv + argc}, nullptr);
}
