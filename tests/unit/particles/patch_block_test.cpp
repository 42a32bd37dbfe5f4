// SPDX-License-Identifier: BSD-3-Clause
#include "particles/patch_block.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

namespace fg {
namespace {

using Pairs = std::vector<std::array<std::int32_t, 2>>;

TEST(ExclusionTable, IsSymmetricSortedAndWithoutRepetition) {
  const Pairs pairs{{3, 1}, {1, 3}, {0, 3}, {2, 2}, {4, 0}};
  const ExclusionTable table = make_exclusion_table(5, pairs);
  const std::vector<std::vector<std::int32_t>> expected{{3, 4}, {3}, {}, {0, 1}, {0}};
  for (int id = 0; id < 5; ++id) {
    std::vector<std::int32_t> room;
    const auto of = table.of(id, room);
    EXPECT_EQ(std::vector<std::int32_t>(of.begin(), of.end()), expected[id]) << id;
  }
}

TEST(PatchBlock, KeepsTypesWhereATableGivesThePairs) {
  AtomParameters atoms{.charge = {0, 0, 0}, .sigma = {3, 3, 3}, .epsilon = {0, 0, 0}};
  // The second type has an energy with the first one only; the third has none.
  atoms.types = {.count = 3,
                 .of_atom = {1, 2, 0},
                 .sigma = {3, 4, 0, 4, 0, 0, 0, 0, 0},
                 .epsilon = {1, 2, 0, 2, 0, 0, 0, 0, 0}};
  EXPECT_EQ(atoms.sigma_of(0, 2), 4);
  EXPECT_EQ(atoms.epsilon_of(2, 0), 2);
  const std::vector<std::uint8_t> has_lj{atoms.has_lennard_jones(0), atoms.has_lennard_jones(1),
                                         atoms.has_lennard_jones(2)};
  EXPECT_EQ(has_lj, (std::vector<std::uint8_t>{1, 0, 1}));
  const std::vector<std::int32_t> ids{0, 1, 2};
  const std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  ClusterOrder order;
  make_cluster_order(positions, has_lj, order);
  PatchBlock<double> block;
  make_patch_block<double>(ids, order, atoms, make_exclusion_table(3, {}), block);
  for (int slot = 0; slot < 3; ++slot) {
    const std::int32_t id = block.id[slot];
    EXPECT_EQ(block.half_sigma[slot], atoms.types.of_atom[id]);
    EXPECT_EQ(block.root_epsilon[slot], has_lj[id]);
  }
}

TEST(PatchBlock, KeepsParametersBySlotAndSplitsExclusions) {
  // Atoms 10, 11 and 12 are here; the exclusion 10-11 is inside, 11-3 and 12-20 cross to other
  // patches.
  AtomParameters atoms;
  for (int id = 0; id < 21; ++id) {
    atoms.charge.push_back(id);
    atoms.sigma.push_back(2.0 * id);
    atoms.epsilon.push_back(id == 12 ? 0.25 : 0.0);
  }
  const Pairs pairs{{10, 11}, {11, 3}, {20, 12}};
  const ExclusionTable exclusions = make_exclusion_table(21, pairs);
  const std::vector<std::int32_t> ids{12, 10, 11};
  const std::vector<Vec3> positions{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}};
  const std::vector<std::uint8_t> has_lj{1, 0, 0};
  ClusterOrder order;
  make_cluster_order(positions, has_lj, order);
  PatchBlock<double> block;
  make_patch_block<double>(ids, order, atoms, exclusions, block);

  ASSERT_EQ(block.atoms, 3);
  ASSERT_EQ(block.clusters, 1);
  EXPECT_EQ(block.id, (std::vector<std::int32_t>{12, 10, 11, -1, -1, -1, -1, -1}));
  EXPECT_EQ(block.charge[0], 12.0);
  EXPECT_EQ(block.half_sigma[1], 10.0);
  EXPECT_EQ(block.root_epsilon[0], 1.0);  // 2 sqrt(1/4)
  EXPECT_EQ(block.charge[3], 0.0);
  ASSERT_EQ(block.by_id.size(), 3u);
  EXPECT_EQ(block.by_id[0].id, 10);
  EXPECT_EQ(block.by_id[2].slot, 0);
  ASSERT_EQ(block.inner_exclusions.size(), 1u);
  EXPECT_EQ(block.inner_exclusions[0].a, 1);
  EXPECT_EQ(block.inner_exclusions[0].b, 2);
  ASSERT_EQ(block.outer_exclusions.size(), 2u);
  EXPECT_EQ(block.outer_exclusions[0].id, 3);
  EXPECT_EQ(block.outer_exclusions[0].slot, 2);
  EXPECT_EQ(block.outer_exclusions[1].id, 20);
  EXPECT_EQ(block.outer_exclusions[1].slot, 0);

  // Packing and unpacking, as for a message.
  const PatchBlockExtent extent = extent_of(block);
  std::vector<std::uint64_t> bytes(packed_bytes<double>(extent) / 8);
  pack(block, reinterpret_cast<std::byte*>(bytes.data()));
  const auto back = unpack<double>(extent, reinterpret_cast<const std::byte*>(bytes.data()));
  const auto same = [](const auto& view, const auto& list) {
    return std::equal(
        view.begin(), view.end(), list.begin(), list.end(),
        [](const auto& a, const auto& b) { return std::memcmp(&a, &b, sizeof a) == 0; });
  };
  EXPECT_EQ(back.clusters(), 1);
  EXPECT_TRUE(same(back.id, block.id));
  EXPECT_TRUE(same(back.charge, block.charge));
  EXPECT_TRUE(same(back.half_sigma, block.half_sigma));
  EXPECT_TRUE(same(back.root_epsilon, block.root_epsilon));
  EXPECT_TRUE(same(back.by_id, block.by_id));
  EXPECT_TRUE(same(back.inner_exclusions, block.inner_exclusions));
  EXPECT_TRUE(same(back.outer_exclusions, block.outer_exclusions));
}

}  // namespace
}  // namespace fg
