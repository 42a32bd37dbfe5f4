// SPDX-License-Identifier: BSD-3-Clause
//
// Computes on one of their PEs: which one, by hand; and the balance that some choice has.
#include "topology/placement/compute_places.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "unit/topology/placement/job_places.hpp"

namespace fg::topology {
namespace {

std::int64_t fullest(std::span<const NearbyWork> computes, std::span<const PePlace> pes,
                     std::span<const int> pe_of) {
  std::vector<std::int64_t> loads;
  for (const NearbyWork& compute : computes) loads.push_back(compute.work);
  const std::vector<std::int64_t> work = work_of_pes(pes, loads, pe_of);
  return *std::ranges::max_element(work);
}

TEST(ComputePlaces, StayWhereTheyAreWantedIfThatIsFair) {
  const std::vector<NearbyWork> computes{{{0, 1}, 10}, {{1, 0}, 10}, {{2, 0}, 10}};
  EXPECT_EQ(places_near_patches(computes, regular_pes(3)), (std::vector{0, 1, 2}));
}

TEST(ComputePlaces, MoveFromFullPes) {
  // All four are wanted on PE 0; two can go to PE 1.
  const std::vector<NearbyWork> computes{{{0, 1}, 10}, {{0}, 10}, {{0, 1}, 10}, {{0}, 10}};
  EXPECT_EQ(places_near_patches(computes, regular_pes(2)), (std::vector{1, 0, 1, 0}));
  // What PE 1 has to do besides keeps them where they are.
  std::vector<PePlace> pes = regular_pes(2);
  pes[1].already = 40;
  EXPECT_EQ(places_near_patches(computes, pes), (std::vector{0, 0, 0, 0}));
}

TEST(ComputePlaces, FollowShares) {
  const std::vector<PePlace> pes{{0, 0, 1}, {1, 1, 3}};
  const std::vector<NearbyWork> computes(8, NearbyWork{{0, 1}, 10});
  EXPECT_EQ(counts_of_pes(2, places_near_patches(computes, pes)), (std::vector{2, 6}));
}

TEST(ComputePlaces, PassWorkOnFromPeToPe) {
  // A row of PEs, all work wanted on the first one, and each compute can only go one step.
  std::vector<NearbyWork> computes;
  for (int pe = 0; pe < 4; ++pe)
    for (int i = 0; i < (pe == 0 ? 24 : 8); ++i)
      computes.push_back({pe < 3 ? std::vector{pe, pe + 1} : std::vector{3}, 4});
  // An even share is 192 / 4 = 48. Neighbours differ by one compute at least before one moves, so
  // that the first PE may have two more. Without passing on, the first two would keep 64 each.
  EXPECT_LE(fullest(computes, regular_pes(4), places_near_patches(computes, regular_pes(4))), 56);
}

TEST(ComputePlaces, AreNearTheBestOfAllChoices) {
  // Few enough to try every choice.
  std::mt19937 random(6);
  for (int round = 0; round < 40; ++round) {
    std::vector<NearbyWork> computes;
    computes.reserve(10);
    for (int i = 0; i < 10; ++i)
      computes.push_back({{static_cast<int>(random() % 4), static_cast<int>(random() % 4)},
                          static_cast<std::int64_t>(1 + random() % 20)});
    const auto pes = regular_pes(4);
    const auto found = places_near_patches(computes, pes);
    std::int64_t best = 1000, heaviest = 0;
    for (unsigned choice = 0; choice < 1u << 10; ++choice) {
      std::vector<int> pe_of;
      for (std::size_t i = 0; i < 10; ++i) pe_of.push_back(computes[i].pes[choice >> i & 1]);
      best = std::min(best, fullest(computes, pes, pe_of));
    }
    for (std::size_t i = 0; i < 10; ++i) {
      EXPECT_TRUE(found[i] == computes[i].pes[0] || found[i] == computes[i].pes[1]);
      heaviest = std::max(heaviest, computes[i].work);
    }
    EXPECT_LE(fullest(computes, pes, found), best + heaviest);
  }
}

}  // namespace
}  // namespace fg::topology
