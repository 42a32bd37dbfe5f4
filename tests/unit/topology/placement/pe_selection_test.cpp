// SPDX-License-Identifier: BSD-3-Clause
//
// PEs chosen by bit reversal: orders by hand, and the same number on each host and in each process.
#include "topology/placement/pe_selection.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

namespace fg::topology {
namespace {

/// PEs of equal hosts with equal processes, numbered along them, or dealt out host by host.
std::vector<PePlace> equal_hosts(int hosts, int processes, int threads, bool dealt = false) {
  std::vector<PePlace> pes;
  const int per_host = processes * threads;
  for (int i = 0; i < hosts * per_host; ++i) {
    const int host = dealt ? i % hosts : i / per_host, inside = dealt ? i / hosts : i % per_host;
    pes.push_back({.host = host, .process = host * processes + inside / threads});
  }
  return pes;
}

TEST(BitReversal, ReadsTheBitsBackwards) {
  EXPECT_EQ(bit_reversed(8), (std::vector{0, 4, 2, 6, 1, 5, 3, 7}));
  EXPECT_EQ(bit_reversed(6), (std::vector{0, 4, 2, 1, 5, 3}));  // 6 and 7 are left out
  EXPECT_EQ(bit_reversed(1), (std::vector{0}));
  EXPECT_TRUE(bit_reversed(0).empty());
}

TEST(ChoiceOfPes, TakesHostsThenProcessesThenThreads) {
  // PE = 8 host + 2 process + thread.
  const std::vector<int> order = order_of_choice(equal_hosts(2, 4, 2));
  EXPECT_EQ(order, (std::vector{0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15}));
}

TEST(ChoiceOfPes, IsEvenForAnyNumber) {
  for (const bool dealt : {false, true})
    for (const auto& [hosts, processes, threads] :
         {std::tuple{5, 3, 4}, {8, 1, 6}, {1, 7, 2}, {16, 2, 1}, {3, 4, 5}}) {
      const std::vector<PePlace> pes = equal_hosts(hosts, processes, threads, dealt);
      for (int count = 1; count <= static_cast<int>(pes.size()) + 2; ++count) {
        const std::vector<int> chosen = chosen_pes(pes, count);
        ASSERT_EQ(chosen.size(), std::min(pes.size(), static_cast<std::size_t>(count)));
        EXPECT_TRUE(std::ranges::is_sorted(chosen));
        EXPECT_EQ(std::set(chosen.begin(), chosen.end()).size(), chosen.size());
        std::vector<int> of_host(static_cast<std::size_t>(hosts)),
            of_process(static_cast<std::size_t>(hosts * processes));
        for (const int pe : chosen) {
          ++of_host[static_cast<std::size_t>(pes[static_cast<std::size_t>(pe)].host)];
          ++of_process[static_cast<std::size_t>(pes[static_cast<std::size_t>(pe)].process)];
        }
        for (const std::vector<int>& counts : {of_host, of_process}) {
          const auto [least, most] = std::ranges::minmax(counts);
          EXPECT_LE(most - least, 1) << count;
        }
      }
    }
}

TEST(ChoiceOfPes, TakesMarkedPesLast) {
  // Two hosts with two processes of two PEs. PE 0 and both PEs of process 3 are marked.
  const std::vector<bool> last{true, false, false, false, false, false, true, true};
  const std::vector<int> order = order_of_choice(equal_hosts(2, 2, 2), last);
  EXPECT_EQ(order, (std::vector{1, 4, 2, 6, 3, 5, 0, 7}));
}

TEST(ChoiceOfPes, TakesHostsInTurnUntilTheyHaveNoMore) {
  // Host 0 has one PE, host 1 three processes.
  const std::vector<PePlace> pes{{0, 0}, {1, 1}, {1, 2}, {1, 3}};
  EXPECT_EQ(order_of_choice(pes), (std::vector{0, 1, 3, 2}));
}

TEST(ChoiceOfPes, DoesNotDependOnNumbersOfHosts) {
  std::vector<PePlace> pes = equal_hosts(6, 2, 3);
  const std::vector<int> before = order_of_choice(pes);
  for (PePlace& pe : pes) {
    pe.host = 7 * pe.host % 6 + 20;
    pe.process = 100 - pe.process;
  }
  EXPECT_EQ(order_of_choice(pes), before);
}

}  // namespace
}  // namespace fg::topology
