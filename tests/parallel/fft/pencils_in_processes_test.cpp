// SPDX-License-Identifier: BSD-3-Clause
//
// Real convolutions in pencils over several processes, on the PEs and communication threads of each
// mode.
#include <gtest/gtest.h>

#include "parallel/runtime/processes.hpp"
#include "support/fft/poisson_pencils.hpp"

namespace fg::test {
namespace {

TEST(PencilsInProcesses, SolveThePoissonEquation) {
  std::uint64_t seed = 0;
  for (const auto& [pes, threads] : modes)
    for (PoissonCase is : poisson_cases()) {
      is.scattered = seed++ % 3;
      SCOPED_TRACE(std::to_string(pes) + " PEs, seed " + std::to_string(is.scattered));
      PoissonRun<double> run(options(pes, threads), is);
      run.run();
      run.check();
    }
}

}  // namespace
}  // namespace fg::test
