// SPDX-License-Identifier: BSD-3-Clause
#include "runtime/places/balance.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

namespace fg::balance {
namespace {

/// A cube of elements, heavier towards one corner, all on PE 0 or distributed in index order.
std::vector<Burden> cube(int side, int pes, bool spread) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  std::vector<Burden> elements;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        elements.push_back({.load = uniform(random) * (1 + x + 0.5 * y),
                            .position = {double(x), double(y), double(z)}});
  if (spread)
    for (std::size_t i = 0; i < elements.size(); ++i)
      elements[i].pe = static_cast<int>(i * static_cast<std::size_t>(pes) / elements.size());
  return elements;
}

std::vector<int> present(const std::vector<Burden>& elements) {
  std::vector<int> pes;
  for (const Burden& element : elements) pes.push_back(element.pe);
  return pes;
}

class Balancers : public ::testing::TestWithParam<int> {};

TEST_P(Balancers, EvenTheLoadOut) {
  const int pes = GetParam();
  const auto elements = cube(9, pes, true);
  // The heaviest element limits what can be reached.
  double whole = 0, heaviest = 0;
  for (const Burden& e : elements) whole += e.load, heaviest = std::max(heaviest, e.load);
  const double grain = heaviest * pes / whole;
  EXPECT_LE(imbalance(elements, greedy(elements, pes), pes), 1.01 + grain / 3);
  EXPECT_LE(imbalance(elements, refine(elements, pes), pes), 1.03 + grain / 3);
  EXPECT_LE(imbalance(elements, bisection(elements, pes), pes), 1.05 + 2 * grain);
}

TEST_P(Balancers, UseExistingPesOnly) {
  const int pes = GetParam();
  const auto elements = cube(5, pes, false);
  for (const auto& result : {greedy(elements, pes), refine(elements, pes), bisection(elements, pes),
                             scattered(elements.size(), pes, 4)}) {
    ASSERT_EQ(result.size(), elements.size());
    EXPECT_GE(*std::min_element(result.begin(), result.end()), 0);
    EXPECT_LT(*std::max_element(result.begin(), result.end()), pes);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Balancers, ::testing::Values(1, 2, 3, 4, 7, 16));

TEST(Refine, LeavesABalancedPlacementAlone) {
  const auto elements = cube(8, 4, true);
  auto balanced = elements;
  const auto first = refine(elements, 4);
  for (std::size_t i = 0; i < balanced.size(); ++i) balanced[i].pe = first[i];
  EXPECT_EQ(refine(balanced, 4), present(balanced));
}

TEST(Refine, MovesFewerThanGreedy) {
  const auto elements = cube(8, 4, true);
  const auto moved = [&](const std::vector<int>& result) {
    int count = 0;
    for (std::size_t i = 0; i < result.size(); ++i) count += result[i] != elements[i].pe;
    return count;
  };
  EXPECT_LT(moved(refine(elements, 4)), moved(greedy(elements, 4)) / 2);
}

TEST(Bisection, KeepsNeighboursTogether) {
  auto elements = cube(8, 8, false);
  for (Burden& element : elements) element.load = 1;
  const auto result = bisection(elements, 8);
  // Eight cubes of side 4.
  for (std::size_t i = 0; i < elements.size(); ++i)
    for (std::size_t k = 0; k < elements.size(); ++k) {
      bool same = true;
      for (std::size_t axis = 0; axis < 3; ++axis)
        same &= (elements[i].position[axis] < 4) == (elements[k].position[axis] < 4);
      ASSERT_EQ(result[i] == result[k], same);
    }
}

TEST(Balance, OfNothingMeasuredIsStillAPlacement) {
  const std::vector<Burden> elements(10);
  EXPECT_EQ(refine(elements, 3), std::vector<int>(10, 0));
  const auto result = bisection(elements, 2);
  EXPECT_EQ(std::count(result.begin(), result.end(), 0), 5);
  EXPECT_EQ(imbalance(elements, result, 2), 1.0);
}

}  // namespace
}  // namespace fg::balance
