// SPDX-License-Identifier: BSD-3-Clause
//
// Who sends charges to whom, at random places of spreaders and pencils.
#include "forces/mesh/charge_sums.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <random>

namespace fg::test {
namespace {

MeshDivision division() {
  const Box box{.edge = {30, 30, 30}};
  return {PatchGrid(box, {4, 3, 3}),
          {.box = box, .mesh = {32, 32, 32}, .order = 4, .alpha = 0.3},
          {{32, 32, 32}, {4, 3}},
          1.0};
}

TEST(ChargeSumsTest, EachSpreaderSendsToThePencilsOfItsFrame) {
  const MeshDivision mesh = division();
  const ChargeSums sums(mesh);
  for (int spreader = 0; spreader < mesh.patches.size(); ++spreader) {
    std::vector<int> expected;
    for (const auto& [i, j] : pencils_of(mesh, mesh.patches.unflat(spreader)))
      expected.push_back(3 * i + j);
    EXPECT_EQ(sums.pencils[static_cast<std::size_t>(spreader)], expected);
  }
  for (int pencil = 0; pencil < 12; ++pencil) {
    EXPECT_EQ(sums.awaited[static_cast<std::size_t>(pencil)],
              spreaders_of(mesh, {pencil / 3, pencil % 3}));
    EXPECT_EQ(sums.collected[static_cast<std::size_t>(pencil)], 0);
  }
}

TEST(ChargeSumsTest, OneMessageComesFromAProcessWithThreeSpreadersOrMore) {
  const MeshDivision mesh = division();
  ChargeSums sums(mesh);
  EXPECT_EQ(std::ranges::count(sums.wide, true), 0);
  std::mt19937 random(2);
  for (const bool wide : {false, true})
    for (const int processes : {1, 2, 5, 40})
      for (int trial = 0; trial < 10; ++trial) {
        sums.wide.assign(sums.pencils.size(), wide);
        std::vector<int> spreaders(sums.pencils.size()), pencils(12);
        for (int& process : spreaders) process = static_cast<int>(random() % processes);
        for (int& process : pencils) process = static_cast<int>(random() % processes);
        for (int here = 0; here < processes; ++here) {
          sums.count(spreaders, pencils, here);
          for (std::size_t pencil = 0; pencil < 12; ++pencil) {
            std::map<int, int> senders;  // by process
            for (std::size_t spreader = 0; spreader < spreaders.size(); ++spreader)
              senders[spreaders[spreader]] += static_cast<int>(
                  std::ranges::count(sums.pencils[spreader], static_cast<int>(pencil)));
            int awaited = 0, collected = 0;
            for (const auto& [process, count] : senders) {
              if (count == 0) continue;
              const bool one = process != pencils[pencil] && (wide || count >= 3);
              awaited += one ? 1 : count;
              if (one && process == here) collected = count;
            }
            EXPECT_EQ(sums.awaited[pencil], awaited);
            EXPECT_EQ(sums.collected[pencil], collected);
          }
        }
      }
}

}  // namespace
}  // namespace fg::test
