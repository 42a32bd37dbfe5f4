// SPDX-License-Identifier: BSD-3-Clause
#include "particles/close_pairs.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <random>

#include "support/cells.hpp"

namespace fg {
namespace {

using Pairs = std::vector<std::array<std::int32_t, 2>>;

std::vector<Vec3> spread(int atoms, double low, double high, unsigned seed) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> place(low, high);
  std::vector<Vec3> positions;
  for (int i = 0; i < atoms; ++i)
    positions.push_back({place(random), place(random), place(random)});
  return positions;
}

Pairs found(const Box& box, const std::vector<Vec3>& positions, double limit) {
  Pairs pairs;
  CloseCells(box, positions, limit)
      .for_each_pair(positions, [&](std::int32_t a, std::int32_t b, const Vec3& d) {
        pairs.push_back({std::min(a, b), std::max(a, b)});
        EXPECT_EQ(norm(d), norm(box.nearest_image(positions[b] - positions[a])));
      });
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

Pairs of_all(const Box& box, const std::vector<Vec3>& positions, double limit) {
  Pairs pairs;
  for (std::int32_t a = 0; a < static_cast<std::int32_t>(positions.size()); ++a)
    for (std::int32_t b = a + 1; b < static_cast<std::int32_t>(positions.size()); ++b)
      if (norm(box.nearest_image(positions[b] - positions[a])) < limit) pairs.push_back({a, b});
  return pairs;
}

TEST(CloseCells, FindEveryPairOnceInAPeriodicBox) {
  // Limits for many cells, for two on an axis and for one.
  const Box box{{20, 14, 9}};
  for (const double limit : {0.7, 2.0, 4.4, 6.0}) {
    const auto positions = spread(400, -15, 30, 3);
    const Pairs all = of_all(box, positions, limit);
    EXPECT_GT(all.size(), 10u);
    EXPECT_EQ(found(box, positions, limit), all) << limit;
  }
}

TEST(CloseCells, FindEveryPairOnceInATiltedCell) {
  // Up to half the shortest edge, beyond which the nearest image is not defined.
  for (const Box& box : test::tilted_cells(16))
    for (const double limit : {0.7, 2.0, 4.4, 5.6}) {
      const auto positions = spread(400, -15, 30, 3);
      const Pairs all = of_all(box, positions, limit);
      EXPECT_GT(all.size(), 10u);
      EXPECT_EQ(found(box, positions, limit), all) << limit;
    }
}

TEST(CloseCells, FindEveryPairOnceWithoutABoxHoweverFarApart) {
  Box box{{5, 5, 5}};
  box.periodic = false;
  auto positions = spread(300, 0, 12, 4);
  positions.push_back({1e6, -1e6, 3});
  positions.push_back({1e6, -1e6, 3.5});
  EXPECT_EQ(found(box, positions, 1.5), of_all(box, positions, 1.5));
}

}  // namespace
}  // namespace fg
