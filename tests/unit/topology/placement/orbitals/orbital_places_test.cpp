// SPDX-License-Identifier: BSD-3-Clause
//
// What the maps of orbitals promise: which objects are in one prism or on the nodes of others.
#include "topology/placement/orbitals/orbital_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <span>

#include "base/error.hpp"

namespace fg::topology {
namespace {

using Sides = std::array<int, 3>;

Sides place(int node, const Sides& sides) {
  return {node % sides[0], node / sides[0] % sides[1], node / sides[0] / sides[1]};
}

int hops(int a, int b, const Sides& sides) {
  int sum = 0;
  for (std::size_t d = 0; d < 3; ++d) {
    const int apart = std::abs(place(a, sides)[d] - place(b, sides)[d]);
    sum += std::min(apart, sides[d] - apart);
  }
  return sum;
}

/// The number of nodes of the smallest box around some; no wraps.
int box_around(const std::set<int>& nodes, const Sides& sides) {
  int volume = 1;
  for (std::size_t d = 0; d < 3; ++d) {
    int low = sides[d], high = 0;
    for (const int node : nodes) {
      low = std::min(low, place(node, sides)[d]);
      high = std::max(high, place(node, sides)[d]);
    }
    volume *= high - low + 1;
  }
  return volume;
}

constexpr OrbitalCounts water{
    .states = 128, .planes = 16, .real_planes = 20, .blocks = 8, .density_columns = 30};

TEST(OrbitalPlaces, KeepAPlaneInAPrismAndAStateInALayer) {
  const Sides sides{8, 8, 8};
  const OrbitalPlaces places = orbital_places(water, sides);
  ASSERT_EQ(places.coefficients.size(), 128u * 16);
  for (int p = 0; p < 16; ++p) {
    std::set<int> nodes;
    for (int s = 0; s < 128; ++s)
      nodes.insert(places.coefficients[static_cast<std::size_t>(s * 16 + p)]);
    EXPECT_EQ(nodes.size(), 32u);  // 512 nodes in 16 prisms, all used
    EXPECT_EQ(box_around(nodes, sides), 32);
  }
  for (int s = 0; s < 128; ++s) {
    std::set<int> layers, own;
    for (int p = 0; p < 16; ++p) {
      const int node = places.coefficients[static_cast<std::size_t>(s * 16 + p)];
      own.insert(node);
      layers.insert(place(node, sides)[2]);
    }
    EXPECT_EQ(layers, (std::set{s * 8 / 128}));
    int before = -1;
    for (int q = 0; q < 20; ++q) {
      const int node = places.real[static_cast<std::size_t>(s * 20 + q)];
      EXPECT_TRUE(own.contains(node));
      EXPECT_LE(before, node);  // in the order of planes
      before = node;
    }
  }
}

TEST(OrbitalPlaces, PutPrismsAlongAnyAxis) {
  // 3 x 5 x 4 nodes in 12 prisms: only 3 x 4 can be tiled by 12 rectangles of one node, so that
  // prisms are along y.
  const Sides sides{3, 5, 4};
  const OrbitalPlaces places = orbital_places({.states = 5, .planes = 12, .real_planes = 3}, sides);
  std::set<int> used(places.coefficients.begin(), places.coefficients.end());
  EXPECT_EQ(used.size(), 60u);
  for (int s = 0; s < 5; ++s)
    for (int p = 0; p < 12; ++p)
      EXPECT_EQ(place(places.coefficients[static_cast<std::size_t>(s * 12 + p)], sides)[1], s);
  EXPECT_THROW(orbital_places({.states = 5, .planes = 7}, sides), InputError);
}

TEST(OrbitalPlaces, KeepOverlapsInThePrismAndOrthoOnAnOverlap) {
  const Sides sides{8, 8, 8};
  const OrbitalPlaces places = orbital_places(water, sides);
  std::vector<int> on(512);
  for (int tile = 0; tile < 64; ++tile) {
    std::set<int> mine;
    for (int p = 0; p < 16; ++p) {
      const int node = places.overlaps[static_cast<std::size_t>(tile * 16 + p)];
      ++on[static_cast<std::size_t>(node)];
      mine.insert(node);
      std::set<int> prism;
      for (int s = 0; s < 128; ++s)
        prism.insert(places.coefficients[static_cast<std::size_t>(s * 16 + p)]);
      EXPECT_TRUE(prism.contains(node));
    }
    EXPECT_TRUE(mine.contains(places.ortho[static_cast<std::size_t>(tile)]));
  }
  // 1,024 overlaps on 512 nodes.
  EXPECT_EQ(*std::ranges::max_element(on), 2);
}

TEST(OrbitalPlaces, PutTheDensityNearAndItsColumnsBeside) {
  const Sides sides{8, 8, 8};
  const OrbitalPlaces places = orbital_places(water, sides);
  const std::set<int> density(places.density.begin(), places.density.end());
  EXPECT_EQ(density.size(), 20u);
  for (const int node : places.density_columns) EXPECT_FALSE(density.contains(node));
  for (int s = 0; s < 128; ++s) {
    std::set<int> own;
    for (int p = 0; p < 16; ++p)
      own.insert(places.coefficients[static_cast<std::size_t>(s * 16 + p)]);
    const bool free = !std::ranges::includes(density, own);
    for (int q = 0; q < 20; ++q) {
      const int node = places.nonlocal[static_cast<std::size_t>(s * 20 + q)];
      EXPECT_TRUE(own.contains(node));
      if (free) {
        EXPECT_FALSE(density.contains(node));
      }
    }
  }
  // The sums are equal in all layers; the density is in several.
  std::set<int> layers;
  for (const int node : density) layers.insert(place(node, sides)[2]);
  EXPECT_GT(layers.size(), 4u);
  EXPECT_EQ(std::set(places.density_columns.begin(), places.density_columns.end()).size(), 30u);
  // R(*, q) to the density of plane q: fewer hops than from a node taken blindly.
  std::int64_t near = 0, blind = 0;
  for (int s = 0; s < 128; ++s)
    for (int q = 0; q < 20; ++q) {
      const int from = places.real[static_cast<std::size_t>(s * 20 + q)];
      near += hops(from, places.density[static_cast<std::size_t>(q)], sides);
      blind += hops(from, q * 512 / 20, sides);
    }
  EXPECT_LT(near, blind);
}

TEST(OrbitalPlaces, WorkOnOneNode) {
  const OrbitalPlaces places = orbital_places(
      {.states = 3, .planes = 1, .real_planes = 4, .blocks = 2, .density_columns = 2}, {1, 1, 1});
  for (const auto* nodes : {&places.coefficients, &places.real, &places.overlaps, &places.ortho,
                            &places.density, &places.density_columns, &places.nonlocal}) {
    EXPECT_FALSE(nodes->empty());
    for (const int node : *nodes) EXPECT_EQ(node, 0);
  }
}

}  // namespace
}  // namespace fg::topology
