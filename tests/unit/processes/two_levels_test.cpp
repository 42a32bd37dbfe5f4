// SPDX-License-Identifier: BSD-3-Clause
#include "processes/two_levels.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <random>
#include <string_view>
#include <vector>

namespace fg {
namespace {

using topology::PeLayout;

/// A cube of elements in index order on all PEs, heavier towards one corner.
std::vector<Burden> cube(int side, const PeLayout& layout) {
  std::mt19937 random(3);
  std::uniform_real_distribution<double> uniform(0.5, 1.5);
  std::vector<Burden> elements;
  for (int x = 0; x < side; ++x)
    for (int y = 0; y < side; ++y)
      for (int z = 0; z < side; ++z)
        elements.push_back({.load = uniform(random) * (1 + 0.05 * x + 0.02 * y),
                            .position = {(x + 0.5) / side, (y + 0.5) / side, (z + 0.5) / side}});
  for (std::size_t i = 0; i < elements.size(); ++i)
    elements[i].pe = static_cast<int>(i * static_cast<std::size_t>(layout.pes()) / elements.size());
  return elements;
}

std::vector<Burden> placed(std::vector<Burden> elements, const std::vector<int>& pes) {
  for (std::size_t i = 0; i < elements.size(); ++i) elements[i].pe = pes[i];
  return elements;
}

int crossings(const std::vector<Burden>& elements, const std::vector<int>& pes,
              const PeLayout& layout) {
  int count = 0;
  for (std::size_t i = 0; i < pes.size(); ++i)
    count += layout.process_of(pes[i]) != layout.process_of(elements[i].pe);
  return count;
}

struct Case {
  std::string_view balancer;
  int processes, pes_a_process;
};

class TwoLevels : public ::testing::TestWithParam<Case> {};

TEST_P(TwoLevels, EvenTheLoadsOut) {
  const auto& [balancer, processes, pes_a_process] = GetParam();
  const PeLayout layout{.processes = processes, .pes_a_process = pes_a_process};
  const auto elements = cube(10, layout);
  const auto pes = balanced_in_two_levels(balancer, elements, layout);
  ASSERT_EQ(pes.size(), elements.size());
  EXPECT_GE(*std::ranges::min_element(pes), 0);
  EXPECT_LT(*std::ranges::max_element(pes), layout.pes());
  // The heaviest element limits what a cut of space can reach, once for each level.
  double whole = 0, heaviest = 0;
  for (const Burden& e : elements) whole += e.load, heaviest = std::max(heaviest, e.load);
  const double grain = heaviest * layout.pes() / whole;
  const double limit = balancer == "bisection" ? 1.06 + 3 * grain : 1.035 + grain / 3;
  EXPECT_LE(balance::imbalance(elements, pes, layout.pes()), limit);
}

INSTANTIATE_TEST_SUITE_P(All, TwoLevels,
                         ::testing::Values(Case{"refine", 1, 4}, Case{"refine", 2, 1},
                                           Case{"refine", 3, 2}, Case{"refine", 8, 4},
                                           Case{"greedy", 3, 2}, Case{"greedy", 8, 4},
                                           Case{"bisection", 3, 2}, Case{"bisection", 8, 4}));

TEST(TwoLevels, OneProcessIsBalancedAsBefore) {
  const PeLayout layout = topology::one_process(5);
  const auto elements = cube(7, layout);
  EXPECT_EQ(balanced_in_two_levels("refine", elements, layout), balance::refine(elements, 5));
  EXPECT_EQ(balanced_in_two_levels("greedy", elements, layout), balance::greedy(elements, 5));
  EXPECT_EQ(balanced_in_two_levels("bisection", elements, layout), balance::bisection(elements, 5));
}

TEST(TwoLevels, NothingLeavesAProcessThatHasItsShare) {
  // Two processes with equal work, all of it on the first of their three PEs.
  const PeLayout layout{.processes = 2, .pes_a_process = 3};
  auto elements = cube(6, layout);
  for (std::size_t i = 0; i < elements.size(); ++i) {
    elements[i].load = 1;
    elements[i].pe = i % 2 == 0 ? 0 : 3;
  }
  const auto pes = balanced_in_two_levels("refine", elements, layout);
  EXPECT_EQ(crossings(elements, pes, layout), 0);
  EXPECT_LE(balance::imbalance(elements, pes, layout.pes()), 1.03);
  // Without the levels a third of them and more leave.
  EXPECT_GT(crossings(elements, balance::refine(elements, layout.pes()), layout), 36);
}

TEST(TwoLevels, RefineTakesFewFromProcessesWithTooMuch) {
  const PeLayout layout{.processes = 8, .pes_a_process = 4};
  const auto elements = cube(12, layout);
  std::vector<double> loads(8);
  for (const Burden& e : elements)
    loads[static_cast<std::size_t>(layout.process_of(e.pe))] += e.load;
  double whole = 0, least = elements[0].load, excess = 0;
  for (const double load : loads) whole += load;
  for (const Burden& e : elements) least = std::min(least, e.load);
  for (const double load : loads) excess += std::max(0.0, load - whole / 8);
  // No more leave than the excess has of the lightest elements.
  const auto pes = balanced_in_two_levels("refine", elements, layout);
  EXPECT_LT(crossings(elements, pes, layout), excess / least);
  // What is even stays as it is.
  const auto even = placed(elements, pes);
  EXPECT_EQ(balanced_in_two_levels("refine", even, layout), pes);
}

TEST(TwoLevels, RefinePrefersTheSameHost) {
  // Processes 0 and 2 share a host, 1 and 3 another. Process 0 has twice its share; process 2 and
  // process 1 have room, equally much.
  const PeLayout layout{.processes = 4, .pes_a_process = 1, .hosts = {7, 9, 7, 9}};
  std::vector<Burden> elements;
  for (int process = 0; process < 4; ++process)
    for (int k = 0; k < (process == 0 ? 40 : process == 3 ? 20 : 10); ++k)
      elements.push_back({.load = 1, .pe = process, .position = {0.25 * process, 0.5, 0.5}});
  const auto pes = balanced_in_two_levels("refine", elements, layout);
  const auto from_0 = [&](int to) {
    int count = 0;
    for (std::size_t i = 0; i < pes.size(); ++i) count += elements[i].pe == 0 && pes[i] == to;
    return count;
  };
  // Half of the largest difference is room enough: process 2 is filled first.
  EXPECT_GE(from_0(2), 10);
  EXPECT_GE(from_0(2), from_0(1));
  EXPECT_EQ(from_0(3), 0);
  EXPECT_LE(balance::imbalance(elements, pes, 4), 1.03 + 1.0 / 20);
}

TEST(TwoLevels, RefineGivesAwayWhatIsNearestToTheReceiver) {
  // A row in the periodic cube: process 0 from 0 to 0.5, process 1 from 0.5 to 0.75. Its middle is
  // 0.625, to which those just below 0.5 are nearest.
  const PeLayout layout{.processes = 2, .pes_a_process = 1};
  std::vector<Burden> elements;
  for (int k = 0; k < 60; ++k) {
    const double x = (k + 0.5) / 80;
    elements.push_back({.load = 1, .pe = k < 40 ? 0 : 1, .position = {x, 0.5, 0.5}});
  }
  const auto pes = balanced_in_two_levels("refine", elements, layout);
  for (std::size_t i = 0; i < 30; ++i) EXPECT_EQ(pes[i], 0) << i;
  EXPECT_EQ(std::count(pes.begin(), pes.end(), 1), 30);  // 31 would be more than 3 % too many
}

TEST(TwoLevels, BisectionGivesHostsPiecesOfSpace) {
  // Two hosts, whose processes alternate; equal loads. The longest side is cut first, so each host
  // gets one half of the cube.
  const PeLayout layout{.processes = 4, .pes_a_process = 2, .hosts = {0, 1, 0, 1}};
  auto elements = cube(8, layout);
  for (Burden& element : elements) element.load = 1;
  const auto pes = balanced_in_two_levels("bisection", elements, layout);
  for (std::size_t i = 0; i < pes.size(); ++i) {
    const int host = layout.host_of(layout.process_of(pes[i]));
    EXPECT_EQ(host, elements[i].position[0] < 0.5 ? 0 : 1);
  }
}

TEST(TwoLevels, NothingMeasuredIsStillAPlacement) {
  const PeLayout layout{.processes = 3, .pes_a_process = 2};
  const std::vector<Burden> elements(10);
  EXPECT_EQ(balanced_in_two_levels("refine", elements, layout), std::vector<int>(10, 0));
  for (const std::string_view balancer : {"greedy", "bisection"})
    for (const int pe : balanced_in_two_levels(balancer, elements, layout)) {
      EXPECT_GE(pe, 0);
      EXPECT_LT(pe, 6);
    }
}

}  // namespace
}  // namespace fg
