// SPDX-License-Identifier: BSD-3-Clause
//
// The same results whatever the order in which messages arrive, in several processes. Started by
// mpiexec. Each process orders its own messages; between them the network's order is what it is.
// Most runs keep checkpoints in memory, which travel between the processes too.
#include <gtest/gtest.h>

#include "order_cases.hpp"
#include "support/this_process.hpp"

namespace fg::test {
namespace {

class AnyOrderOverProcesses : public ::testing::TestWithParam<OrderCase> {};

TEST_P(AnyOrderOverProcesses, OfMessagesGivesTheSameBits) {
  const OrderedRun run(GetParam());
  const auto digest_of = [&](const RandomOrder& order) -> std::string {
    if (order.seed == 0) return is_first() ? run.digest_of({}, order) : std::string();
    RandomOrder fewer = order;  // PEs, because there are several processes
    fewer.pes = 1 + order.pes % 3;
    MachineOptions machine = shared(1, "block", static_cast<int>(order.seed % 2));
    const KeptInMemory kept(order.seed, 10);
    if (order.seed % 4 != 0) machine.memory = kept.plan();
    const std::string digest = run.digest_of(machine, fewer);
    if (is_first() && machine.memory.on()) EXPECT_GT(kept.states(), 0U);
    return digest;
  };
  expect_one_digest_in_any_order(digest_of, false);
}

INSTANTIATE_TEST_SUITE_P(Jobs, AnyOrderOverProcesses, ::testing::ValuesIn(order_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fg::test
