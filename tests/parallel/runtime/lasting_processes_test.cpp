// SPDX-License-Identifier: BSD-3-Clause
//
// The cases of lasting_cases.hpp on several processes.
#include <gtest/gtest.h>

#include "lasting_cases.hpp"
#include "processes.hpp"

namespace fg::test {
namespace {

TEST(Lasting, ArraysComeAndGoBetweenRuns) {
  for (const auto& [pes, communication] : modes) {
    Runtime runtime(options(pes, communication));
    for (int stay = 0; stay < 8; ++stay) {
      receive_guests(runtime, stay);
      EXPECT_EQ(Guest::present, 0);
      EXPECT_EQ(runtime.arrays().size(), 1u);
    }
  }
}

TEST(Lasting, BoundElementsMoveWithTheirLeaders) {
  for (const auto& [pes, communication] : modes) follow_leaders(options(pes, communication));
}

}  // namespace
}  // namespace fg::test
