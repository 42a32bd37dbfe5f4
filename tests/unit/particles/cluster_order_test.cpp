// SPDX-License-Identifier: BSD-3-Clause
#include "particles/cluster_order.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace fg {
namespace {

std::vector<Vec3> random_positions(int n, std::uint32_t seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(-12.0, 12.0);
  std::vector<Vec3> positions(n);
  for (Vec3& r : positions) r = {uniform(random), uniform(random), uniform(random)};
  return positions;
}

TEST(ClusterOrder, HoldsEveryAtomOnceWithPaddingAtTheEnd) {
  for (const int n : {0, 1, 3, 4, 5, 8, 9, 12, 47, 188, 193}) {
    const auto positions = random_positions(n, 3 + n);
    std::vector<std::uint8_t> has_lj(n);
    for (int a = 0; a < n; ++a) has_lj[a] = a % 3 == 0;
    ClusterOrder order;
    make_cluster_order(positions, has_lj, order);
    ASSERT_EQ(order.atoms(), n);
    ASSERT_EQ(order.clusters(), (n + 7) / 8);
    std::vector<int> seen(n, 0);
    for (int slot = 0; slot < order.clusters() * 8; ++slot) {
      const int atom = order.atom_of_slot[slot];
      EXPECT_EQ(atom >= 0, slot < n);
      if (atom < 0) continue;
      ++seen[atom];
      EXPECT_EQ(order.slot_of_atom[atom], slot);
      if (slot % quad_size != 0) {
        const int before = order.atom_of_slot[slot - 1];
        EXPECT_GE(has_lj[before], has_lj[atom]) << "atoms with Lennard-Jones terms come first";
      }
    }
    EXPECT_EQ(std::count(seen.begin(), seen.end(), 1), n);
  }
}

TEST(ClusterOrder, IsTheSameForTheSameInputAndOrdersEqualCoordinatesByInput) {
  const std::vector<Vec3> positions(21, Vec3{1.0, 2.0, 3.0});
  const std::vector<std::uint8_t> has_lj(21, 0);
  ClusterOrder order;
  make_cluster_order(positions, has_lj, order);
  for (int slot = 0; slot < 21; ++slot) EXPECT_EQ(order.atom_of_slot[slot], slot);
}

TEST(ClusterOrder, QuadsAreCompact) {
  // 192 atoms in a cube of 24 bohr: each quad's share is a cube of 6.6 bohr. Quads cut from columns
  // have bounding boxes smaller than this share; quads of unsorted atoms would nearly fill the
  // whole cube.
  const auto positions = random_positions(192, 5);
  const std::vector<std::uint8_t> has_lj(192, 0);
  ClusterOrder order;
  make_cluster_order(positions, has_lj, order);
  double sum = 0;
  for (int quad = 0; quad < 48; ++quad) {
    for (int axis = 0; axis < 3; ++axis) {
      double low = 1e9, high = -1e9;
      for (int lane = 0; lane < 4; ++lane) {
        const double x = positions[order.atom_of_slot[4 * quad + lane]][axis];
        low = std::min(low, x), high = std::max(high, x);
      }
      sum += high - low;
    }
  }
  EXPECT_LT(sum / (48 * 3), 6.6);
}

TEST(PackPositions, IsRelativeToTheCentreWithPaddingFarAway) {
  const auto positions = random_positions(11, 9);
  const std::vector<std::uint8_t> has_lj(11, 0);
  ClusterOrder order;
  make_cluster_order(positions, has_lj, order);
  std::vector<double> packed(2 * 24);
  const Vec3 centre{1.0, -2.0, 0.5};
  pack_positions<double>(positions, order, centre, packed.data());
  for (int slot = 0; slot < 16; ++slot) {
    const double* const r = packed.data() + slot / 8 * 24 + slot % 8;
    const int atom = order.atom_of_slot[slot];
    for (int axis = 0; axis < 3; ++axis) {
      if (atom >= 0) {
        EXPECT_EQ(r[8 * axis], positions[atom][axis] - centre[axis]);
      } else {
        EXPECT_GT(r[8 * axis], 1e5);
      }
    }
  }
}

}  // namespace
}  // namespace fg
