// SPDX-License-Identifier: BSD-3-Clause
//
// The same results whatever the order in which messages arrive, in several processes. Started by
// mpiexec. Each process orders its own messages; between them the network's order is what it is.
#include <gtest/gtest.h>

#include "order_cases.hpp"
#include "support/this_process.hpp"

namespace fg::test {
namespace {

class AnyOrderOverProcesses : public ::testing::TestWithParam<AbInitioOrderCase> {};

TEST_P(AnyOrderOverProcesses, OfMessagesGivesTheSameBits) {
  const AbInitioOrderedRun run(GetParam());
  const auto digest_of = [&](const RandomOrder& order) -> std::string {
    if (order.seed == 0) return is_first() ? run.digest_of({}, order) : std::string();
    RandomOrder fewer = order;  // PEs, because there are several processes
    fewer.pes = 1 + order.pes % 3;
    return run.digest_of(shared(1, "block", static_cast<int>(order.seed % 2)), fewer);
  };
  expect_one_digest_in_any_order(digest_of, false);
}

INSTANTIATE_TEST_SUITE_P(Jobs, AnyOrderOverProcesses, ::testing::ValuesIn(ab_initio_order_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fg::test
