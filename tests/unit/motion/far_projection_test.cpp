// SPDX-License-Identifier: BSD-3-Clause
#include "motion/constraints/far_projection.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace fg {
namespace {

double worst(const FragmentTable& table, const std::vector<Vec3>& x) {
  double error = 0;
  for (int f = 0; f < table.size(); ++f)
    for (const auto& bond : table.constraints(f)) {
      const auto atoms = table.atoms(f);
      const double now = norm(x[atoms[bond.b]] - x[atoms[bond.a]]);
      error = std::max(error, std::abs(now - bond.distance) / bond.distance);
    }
  return error;
}

Topology one_water() {
  Topology topology;
  topology.waters = {{.atoms = {0, 1, 2}, .r_oh = 1.8, .r_hh = 2.86}};
  return topology;
}

const std::vector<double> masses{29000, 1800, 1800};
const std::vector<std::int32_t> one_fragment{0, 0, 0};

TEST(FarProjection, BringsAWaterOfAnyShapeToItsOwn) {
  for (const std::vector<Vec3>& start :
       {std::vector<Vec3>{{0, 0, 0}, {2.4, 0, 0}, {-0.3, 2.5, 0}},  // far too wide
        std::vector<Vec3>{{0, 0, 0}, {1.8, 0, 0}, {-1.8, 0, 0}},    // straight
        std::vector<Vec3>{{0, 0, 0}, {0.1, 0, 0}, {0.1, 0, 0}}}) {  // in one place
    const FragmentTable table(one_water(), one_fragment, masses, start);
    auto x = start;
    ASSERT_GT(worst(table, x), 0.02);
    project_far_fragments(table, masses, 0.02, x);
    EXPECT_LE(worst(table, x), 0.02);
  }
}

TEST(FarProjection, LeavesAFragmentThatIsNearAsItIs) {
  const std::vector<Vec3> start{{0, 0, 0}, {1.8, 0, 0}, {-0.49, 1.73, 0}};
  const FragmentTable table(one_water(), one_fragment, masses, start);
  auto x = start;
  project_far_fragments(table, masses, 0.02, x);
  EXPECT_EQ(x[1].x, start[1].x);
  EXPECT_EQ(x[2].y, start[2].y);
}

}  // namespace
}  // namespace fg
