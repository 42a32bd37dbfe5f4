// SPDX-License-Identifier: BSD-3-Clause
//
// The same results whatever the order in which messages arrive, for every kind of ab initio run.
#include <gtest/gtest.h>

#include "order_cases.hpp"

namespace fg::test {
namespace {

class AnyOrder : public ::testing::TestWithParam<AbInitioOrderCase> {};

TEST_P(AnyOrder, OfMessagesGivesTheSameBits) {
  const AbInitioOrderedRun run(GetParam());
  expect_one_digest_in_any_order(
      [&](const RandomOrder& order) { return run.digest_of({}, order); });
}

INSTANTIATE_TEST_SUITE_P(Jobs, AnyOrder, ::testing::ValuesIn(ab_initio_order_cases()),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace fg::test
