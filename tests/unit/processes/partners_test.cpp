// SPDX-License-Identifier: BSD-3-Clause
//
// Which process keeps whose second copy.
#include "processes/partners.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace fg {
namespace {

TEST(Partners, AreOnAnotherHostWherePossible) {
  std::mt19937 random(3);
  for (int trial = 0; trial < 2000; ++trial) {
    const auto processes = 1 + random() % 12, names = 1 + random() % 5;
    std::vector<std::string> hosts;
    std::map<std::string, std::size_t> count;
    for (std::size_t i = 0; i < processes; ++i) {
      hosts.push_back("host" + std::to_string(random() % names));
      ++count[hosts.back()];
    }
    const auto partner = partners(hosts);
    ASSERT_EQ(partner.size(), processes);
    EXPECT_EQ(std::set<int>(partner.begin(), partner.end()).size(), processes);
    for (std::size_t i = 0; i < processes; ++i) {
      const auto other = static_cast<std::size_t>(partner[i]);
      if (processes > 1) {
        EXPECT_NE(other, i);
      }
      if (2 * count[hosts[i]] <= processes && std::all_of(count.begin(), count.end(), [&](auto& c) {
            return 2 * c.second <= processes;
          })) {
        EXPECT_NE(hosts[other], hosts[i]);
      }
    }
  }
}

}  // namespace
}  // namespace fg
