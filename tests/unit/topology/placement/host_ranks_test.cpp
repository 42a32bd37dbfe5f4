// SPDX-License-Identifier: BSD-3-Clause
//
// Ranks collapsed to hosts, in blocks and dealt out in turn.
#include "topology/placement/host_ranks.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "transport/hosts.hpp"

namespace fg::topology {
namespace {

Coordinates numbered(int ranks) {
  Coordinates rows(ranks, 2);
  for (int rank = 0; rank < ranks; ++rank)
    std::ranges::copy(std::array{rank, -rank}, rows.of(rank).begin());
  return rows;
}

TEST(HostRanks, HaveTheCoordinatesOfTheFirstRankOfTheirHost) {
  const std::vector<std::string> blocks{"n7", "n7", "n3", "n3"}, dealt{"n7", "n3", "n7", "n3"};
  const HostRanks in_blocks = host_ranks(numbers_of_hosts(blocks)),
                  in_turn = host_ranks(numbers_of_hosts(dealt));
  EXPECT_EQ(in_blocks.host_of, (std::vector{0, 0, 1, 1}));
  EXPECT_EQ(in_turn.host_of, (std::vector{0, 1, 0, 1}));
  EXPECT_EQ(in_blocks.first_rank, (std::vector{0, 2}));
  EXPECT_EQ(in_turn.first_rank, (std::vector{0, 1}));
  const Coordinates collapsed = collapsed_to_hosts(numbered(4), in_turn);
  for (int rank = 0; rank < 4; ++rank) EXPECT_EQ(collapsed.at(rank, 0), rank % 2);
  const Coordinates hosts = coordinates_of_hosts(numbered(4), in_blocks);
  EXPECT_EQ(hosts.nodes(), 2);
  EXPECT_EQ(hosts.at(1, 1), -2);
}

TEST(HostRanks, DoNotDependOnWhatHostsAreCalled) {
  const std::vector<int> numbers{9, 4, 9, 1, 4}, others{0, 7, 0, 5, 7};
  EXPECT_EQ(host_ranks(numbers).host_of, (std::vector{0, 1, 0, 2, 1}));
  EXPECT_EQ(host_ranks(others).host_of, host_ranks(numbers).host_of);
}

}  // namespace
}  // namespace fg::topology
