// SPDX-License-Identifier: BSD-3-Clause
//
// Who sends charges to whom, at random places of spreaders and pencils.
#include "forces/mesh/charge_sums.hpp"

#include <gtest/gtest.h>

#include <random>
#include <set>

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

TEST(ChargeSumsTest, OneMessageComesFromEachOtherProcess) {
  const MeshDivision mesh = division();
  ChargeSums sums(mesh);
  std::mt19937 random(2);
  for (const int processes : {1, 2, 5, 40})
    for (int trial = 0; trial < 10; ++trial) {
      std::vector<int> spreaders(sums.pencils.size()), pencils(12);
      for (int& process : spreaders) process = static_cast<int>(random() % processes);
      for (int& process : pencils) process = static_cast<int>(random() % processes);
      // What all processes together count for the sums of each pencil.
      std::vector<int> collected(12);
      for (int here = 0; here < processes; ++here) {
        sums.count(spreaders, pencils, here);
        for (std::size_t pencil = 0; pencil < 12; ++pencil) {
          if (pencils[pencil] == here) {
            EXPECT_EQ(sums.collected[pencil], 0);
          }
          collected[pencil] += sums.collected[pencil];
        }
      }
      for (std::size_t pencil = 0; pencil < 12; ++pencil) {
        int direct = 0, others = 0;
        std::set<int> elsewhere;
        for (std::size_t spreader = 0; spreader < spreaders.size(); ++spreader)
          for (const int touched : sums.pencils[spreader]) {
            if (touched != static_cast<int>(pencil)) continue;
            const bool here = spreaders[spreader] == pencils[pencil];
            ++(here ? direct : others);
            if (!here) elsewhere.insert(spreaders[spreader]);
          }
        EXPECT_EQ(sums.awaited[pencil], direct + static_cast<int>(elsewhere.size()));
        EXPECT_EQ(collected[pencil], others);
      }
    }
}

}  // namespace
}  // namespace fg::test
