// SPDX-License-Identifier: BSD-3-Clause
//
// Shares of past geometries: they give the positions of now where these can be given, and nothing
// to displacements that say nothing.
#include "electrons/orbitals/geometry_extrapolation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
#include <vector>

namespace fg::test {
namespace {

using Positions = std::vector<Vec3>;

Vec3 as_it_is(const Vec3& r) {
  return r;
}

const Positions r2{{0, 0, 0}, {1, 0.2, 0}, {0, 2, 1}};
const Positions r1{{0.1, 0, 0.2}, {1, 0.1, 0}, {0.2, 2, 1}};
const Positions r0{{0.1, 0.3, 0.1}, {1.1, 0, 0}, {0.1, 2.2, 1}};

/// r0 + a (r0 - r1) + b (r1 - r2).
Positions at(double a, double b) {
  Positions now = r0;
  for (std::size_t i = 0; i < now.size(); ++i) now[i] += a * (r0[i] - r1[i]) + b * (r1[i] - r2[i]);
  return now;
}

void expect_shares(const std::vector<double>& found, const std::vector<double>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], expected[i], 1e-12) << i;
  EXPECT_NEAR(std::accumulate(found.begin(), found.end(), 0.0), 1, 1e-14);
}

TEST(GeometryShares, GiveThePositionsOfNow) {
  expect_shares(
      electrons::geometry_shares(std::vector<Positions>{r0, r1, r2}, at(0.7, -0.4), as_it_is),
      {1.7, -0.4 - 0.7, 0.4});
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0, r1}, at(-1.5, 0), as_it_is),
                {-0.5, 1.5});
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0}, at(1, 1), as_it_is), {1});
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0, r1, r2}, r0, as_it_is),
                {1, 0, 0});
}

TEST(GeometryShares, AreNearestToThePositionsThatCannotBeGiven) {
  Positions now = at(0.5, 0);
  now[2] += Vec3{0.3, -0.2, 0.1};
  const auto shares = electrons::geometry_shares(std::vector<Positions>{r0, r1}, now, as_it_is);
  const auto miss = [&](double a) {
    double sum = 0;
    for (std::size_t i = 0; i < now.size(); ++i) {
      const Vec3 d = now[i] - at(a, 0)[i];
      sum += dot(d, d);
    }
    return sum;
  };
  const double a = shares[0] - 1;
  EXPECT_LT(miss(a), miss(a + 1e-3));
  EXPECT_LT(miss(a), miss(a - 1e-3));
}

TEST(GeometryShares, TakeTheShortestOfAllImages) {
  constexpr double edge = 5;
  const auto nearest = [](const Vec3& r) {
    return Vec3{r.x - edge * std::nearbyint(r.x / edge), r.y, r.z};
  };
  Positions jumped = r1, now = at(0.7, -0.4);
  jumped[1].x += edge;
  now[2].x -= 2 * edge;
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0, jumped, r2}, now, nearest),
                {1.7, -1.1, 0.4});
}

TEST(GeometryShares, LeaveOutWhatSaysNothingOrLeadsTooFar) {
  // No displacement; the same one again; one that is much shorter than the next.
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0, r0, r1}, at(1, 0), as_it_is),
                {1});
  Positions before = r1;
  for (std::size_t i = 0; i < before.size(); ++i) before[i] -= r0[i] - r1[i];
  expect_shares(
      electrons::geometry_shares(std::vector<Positions>{r0, r1, before}, at(1, 0), as_it_is),
      {2, -1});
  expect_shares(electrons::geometry_shares(std::vector<Positions>{r0, r1, r2}, at(10, 0), as_it_is),
                {1});
}

}  // namespace
}  // namespace fg::test
