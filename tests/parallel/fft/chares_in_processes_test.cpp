// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms by chares of several processes, on the PEs and communication threads of each mode.
#include <gtest/gtest.h>

#include "parallel/runtime/processes.hpp"
#include "support/fft/chare_spheres.hpp"
#include "support/fft/chare_transforms.hpp"

namespace fg::test {
namespace {

using fft::Sending;

TEST(ChareTransformsInProcesses, HaveTheBitsOfOneRank) {
  int turn = 0;
  for (const Sending sending : {Sending::messages, Sending::exchanges})
    for (const auto& [pes, threads] : modes) {
      ++turn;
      for (const TransformCase& is : transform_cases(sending)) {
        if ((is.pe_seed + turn) % 3 != 0) continue;  // a third of the cases in each mode, in turn
        SCOPED_TRACE("case " + std::to_string(is.pe_seed) + ", " + std::to_string(pes) + " PEs");
        TransformRun<double>(options(pes, threads), is).run();
      }
    }
}

TEST(ChareSpheresInProcesses, HaveTheBitsOfOneRank) {
  int turn = 0;
  for (const auto& [pes, threads] : modes) {
    ++turn;
    for (const SphereCase& is : sphere_cases()) {
      if ((is.pe_seed + turn) % 3 != 0) continue;  // a third of the cases in each mode, in turn
      SCOPED_TRACE("case " + std::to_string(is.pe_seed) + ", " + std::to_string(pes) + " PEs");
      SphereRun<double>(options(pes, threads), is).run();
    }
  }
}

TEST(ChareTransformsInProcesses, GoOnAfterPartsHaveMoved) {
  for (const Sending sending : {Sending::messages, Sending::exchanges}) {
    TransformRun<double> run(options(2), transform_cases(sending)[4]);
    for (const std::uint64_t seed : {1, 2}) {
      run.run();
      run.scatter(seed);
    }
    run.run();
  }
}

}  // namespace
}  // namespace fg::test
