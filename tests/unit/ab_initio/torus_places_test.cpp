// SPDX-License-Identifier: BSD-3-Clause
//
// Places of the objects of an ab initio run on a torus: what the maps promise.
#include "ab_initio/places/torus_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "ab_initio/places/object_places.hpp"
#include "base/error.hpp"
#include "support/ab_initio/gth_jobs.hpp"
#include "support/expect_refused.hpp"

namespace fg::test {
namespace {

using namespace ab_initio;

std::int64_t hops_inside(const TorusWay& way, int prisms) {
  std::vector<int> first;
  for (int place = 0; place < way.size() / prisms; ++place) first.push_back(way.node(place));
  std::int64_t sum = 0;
  for (const std::int64_t one : way.nodes().sums_of_hops(first, first)) sum += one;
  return sum;
}

TEST(TorusWay, PassesEachNodeOncePrismByPrism) {
  for (const auto& [sides, prisms] : {std::pair{std::array{8, 8, 16}, 16},
                                      {std::array{4, 4, 2}, 16},
                                      {std::array{2, 3, 5}, 6},
                                      {std::array{5, 1, 1}, 5},
                                      {std::array{4, 4, 4}, 1}}) {
    const TorusWay way(sides, prisms);
    std::set<int> passed;
    for (int place = 0; place < way.size(); ++place) passed.insert(way.node(place));
    EXPECT_EQ(static_cast<int>(passed.size()), sides[0] * sides[1] * sides[2]);
    EXPECT_EQ(*passed.begin(), 0);
    EXPECT_EQ(*passed.rbegin(), way.size() - 1);
  }
}

// A prism of 64 nodes is 2 x 2 x 16 along the longest side, and 8 x 2 x 4 along the first one. Mean
// hops of two of its nodes are 1/2 + 1/2 + 4 and, as 4 is no whole side, 2 + 1/2 + 5/4.
TEST(TorusWay, SpansTheSideWithTheNearestNodes) {
  const TorusWay way({8, 8, 16}, 16);
  EXPECT_EQ(hops_inside(way, 16), static_cast<std::int64_t>(64 * 64 * 3.75));
  // The last side alone can be tiled by 16 prisms here, so it stays.
  EXPECT_EQ(TorusWay({4, 4, 1}, 16).node(1), 1);
}

Job job_of(DivisionSettings division) {
  Job job = gth_job();
  job.division = division;
  return job;
}

class OnATorus : public ::testing::TestWithParam<DivisionSettings> {};

TEST_P(OnATorus, PairCalculatorsAreInThePrismOfTheirPart) {
  const Job job = job_of(GetParam());
  const Basis basis(job);
  const MatrixTiles tiles(basis.orbitals(), job.division.tile_grain);
  const int parts = basis.parts();
  // Each part has a prism of six nodes.
  const std::array sides{parts, 2, 3};
  const int nodes = parts * 6;
  const std::string name = "torus-" + std::to_string(parts) + "x2x3-" + std::to_string(parts);
  const TorusWay way(sides, parts);
  const ObjectPlaces places(basis, tiles, ArrayMaps(name, ObjectPlaces::names),
                            {.processes = nodes});
  std::vector<std::set<int>> prism(static_cast<std::size_t>(parts));
  for (int place = 0; place < nodes; ++place)
    prism[static_cast<std::size_t>(place / 6)].insert(way.node(place));
  std::map<int, int> count;
  for (int block = 0; block < basis.blocks(); ++block)
    for (int group = 0; group < basis.pair_groups(); ++group)
      for (int chunk = 0; chunk < basis.chunks(); ++chunk) {
        const int part = basis.part_of_chunk(chunk);
        const int pe = places.pe_of_pairs(block, group, chunk);
        EXPECT_TRUE(prism[static_cast<std::size_t>(part)].contains(pe));
        EXPECT_TRUE(prism[static_cast<std::size_t>(part)].contains(places.pe_of(block, part)));
        ++count[pe];
      }
  const int of_part = basis.blocks() * basis.pair_groups() * basis.chunks_in_part();
  for (const auto& [pe, calculators] : count) EXPECT_LE(calculators, (of_part + 5) / 6) << pe;
  for (int d = 0; d < basis.density_parts(); ++d)
    EXPECT_TRUE(prism[static_cast<std::size_t>(d / basis.density_parts_in_part())].contains(
        places.pe_of_density(d)));
}

TEST_P(OnATorus, TilesAreOnTheirPairCalculators) {
  const Job job = job_of(GetParam());
  const Basis basis(job);
  const MatrixTiles tiles(basis.orbitals(), job.division.tile_grain);
  const TorusWay way({basis.parts(), 2, 3}, basis.parts());
  std::vector<int> orbitals(static_cast<std::size_t>(basis.blocks() * basis.parts()));
  for (std::size_t i = 0; i < orbitals.size(); ++i)
    orbitals[i] = static_cast<int>(i) % basis.parts();
  const std::vector<int> pairs = pairs_near(basis, way, orbitals);
  const std::vector<int> places = tiles_near(basis, tiles, way, pairs);
  ASSERT_EQ(places.size(), static_cast<std::size_t>(tiles.side() * tiles.side()));
  EXPECT_EQ(places.front(), 0);
  const MatrixPieces pieces(basis, basis.pair_groups(), tiles);
  for (int i = 0; i < tiles.side(); ++i)
    for (int j = 0; j < tiles.side(); ++j) {
      if (i == 0 && j == 0) continue;
      std::set<int> calculators;
      for (const MatrixPiece& piece : pieces.all())
        if (piece.tile_row == i && piece.tile_column == j)
          for (int chunk = 0; chunk < basis.chunks(); ++chunk)
            calculators.insert(pairs[static_cast<std::size_t>(
                (piece.block * basis.pair_groups() + piece.group) * basis.chunks() + chunk)]);
      EXPECT_TRUE(calculators.contains(places[static_cast<std::size_t>(i * tiles.side() + j)]));
    }
}

INSTANTIATE_TEST_SUITE_P(Divisions, OnATorus,
                         ::testing::Values(DivisionSettings{2, 2, 4},
                                           DivisionSettings{1, 1, 2, 5, 2},
                                           DivisionSettings{1, 3, 6, 2, 3, 2}));

TEST(ObjectPlaces, OfSeveralProcessesKeepPartsTogetherByDefault) {
  const Job job = job_of({1, 2, 4});
  const Basis basis(job);
  const MatrixTiles tiles(basis.orbitals(), 0);
  const auto places = [&](const char* map, int processes) {
    return ObjectPlaces(basis, tiles, ArrayMaps(map, ObjectPlaces::names),
                        {.processes = processes, .pes_a_process = 2})
        .orbitals();
  };
  EXPECT_EQ(places("cost", 3), places("plane", 3));
  EXPECT_EQ(places("cost", 1), places("block", 1));
  EXPECT_NE(places("cost", 3), places("block", 3));
  expect_refused<InputError>([&] { places("torus-4x4x4-16", 3); }, "nodes");
}

}  // namespace
}  // namespace fg::test
