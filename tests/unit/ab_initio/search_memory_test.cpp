// SPDX-License-Identifier: BSD-3-Clause
//
// Directions from products that objects have summed, against the two loops on whole vectors.
#include "ab_initio/orbitals/search_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "support/references/ab_initio/ab_initio_references.hpp"

namespace fg::ab_initio {
namespace {

using Vector = SearchMemory::Vector;
using reference::Pair;

constexpr int rows = 3;

/// One vector of all orbitals on all waves, and the shares of several objects in the waves.
struct Shares {
  std::vector<std::size_t> sizes;
  std::vector<double> squares;

  explicit Shares(std::vector<std::size_t> of) : sizes(std::move(of)) {
    std::size_t all = 0;
    for (const std::size_t size : sizes) all += size;
    // G = 0 is the last wave of the first object.
    for (std::size_t i = 0; i < all; ++i) squares.push_back(i == zero() ? 0 : 0.1 + 0.03 * i);
  }
  std::size_t zero() const { return sizes[0] - 1; }
  std::size_t begin(std::size_t object) const {
    std::size_t first = 0;
    for (std::size_t i = 0; i < object; ++i) first += sizes[i];
    return first;
  }
  Vector of(std::size_t object, const Vector& whole) const {
    Vector part;
    for (int row = 0; row < rows; ++row)
      for (std::size_t i = 0; i < sizes[object]; ++i)
        part.push_back(whole[static_cast<std::size_t>(row) * squares.size() + begin(object) + i]);
    return part;
  }
  SearchMemory memory(std::size_t object) const {
    return {rows, std::span(squares).subspan(begin(object), sizes[object]),
            object == 0 ? static_cast<std::ptrdiff_t>(zero()) : -1};
  }
};

Vector random_vector(std::mt19937_64& random, std::size_t size) {
  std::uniform_real_distribution<double> number(-1, 1);
  Vector vector(size);
  for (auto& x : vector) x = {number(random), number(random)};
  return vector;
}

/// As the memory keeps it.
Vector rounded(Vector a) {
  for (auto& x : a) x = std::complex<double>(std::complex<float>(x));
  return a;
}

/// A step and a change that has curvature along it, as near a minimum.
Pair random_pair(std::mt19937_64& random, std::size_t size) {
  std::uniform_real_distribution<double> stiffness(0.5, 3);
  Pair pair{.step = random_vector(random, size), .change = random_vector(random, size)};
  for (std::size_t i = 0; i < size; ++i)
    pair.change[i] = stiffness(random) * pair.step[i] + 0.1 * pair.change[i];
  return {.step = rounded(std::move(pair.step)), .change = rounded(std::move(pair.change))};
}

/// A search that has gone this step, to this gradient: the products of the memory.
SearchProducts remember(SearchMemory& memory, const Pair& pair, const Vector& gradient,
                        std::span<const double> below) {
  // Half a step of twice its length; both factors of two are exact.
  Vector direction = pair.step, before = gradient;
  for (std::size_t i = 0; i < direction.size(); ++i) {
    direction[i] *= 2;
    before[i] -= pair.change[i];
  }
  const SearchMemory::Step step{direction, 0.5, before};
  return memory.products(gradient, below, &step);
}

TEST(SearchMemory, HasTheDirectionOfTheTwoLoopsOnWholeVectors) {
  // Sizes below, at and beyond the waves that are worked on at once.
  for (const Shares& shares :
       {Shares({1}), Shares({7, 5}), Shares({256, 257, 3}), Shares({600, 1, 300})}) {
    std::mt19937_64 random(shares.squares.size());
    const std::size_t size = rows * shares.squares.size();
    const std::vector<double> below{0.3, 0.55, 1.2};
    std::vector<SearchMemory> memories;
    for (std::size_t o = 0; o < shares.sizes.size(); ++o) memories.push_back(shares.memory(o));
    std::vector<Pair> pairs;  // the newest first
    StepChange step_change{};
    // More pairs than are remembered.
    for (int step = 0; step <= most_pairs + 2; ++step) {
      // Float: so that gradients and their differences are exact.
      const Vector gradient = rounded(random_vector(random, size));
      std::array<double, SearchProducts::count> sums{};
      for (std::size_t o = 0; o < memories.size(); ++o) {
        const Vector share = shares.of(o, gradient);
        const auto products =
            step == 0 ? memories[o].products(share, below)
                      : remember(memories[o],
                                 {shares.of(o, pairs[0].step), shares.of(o, pairs[0].change)},
                                 share, below);
        const auto mine = products.values();
        for (std::size_t i = 0; i < sums.size(); ++i) sums[i] += mine[i];
      }
      const SearchProducts products = SearchProducts::of(sums);
      if (step > 0) add_newest(products, step_change);
      const SearchDirection direction =
          two_loops(products, step_change, std::min(step, most_pairs));
      const Vector expected = reference::search_direction(
          pairs, gradient, below, shares.squares, static_cast<std::ptrdiff_t>(shares.zero()));
      double largest = 0;
      for (const auto& x : expected) largest = std::max(largest, std::abs(x));
      for (std::size_t o = 0; o < memories.size(); ++o) {
        const Vector mine = shares.of(o, gradient), wanted = shares.of(o, expected);
        Vector result(mine.size());
        memories[o].direction(mine, below, direction, result);
        // Differences of sums of some thousand terms, through all pairs.
        for (std::size_t i = 0; i < result.size(); ++i)
          EXPECT_NEAR(std::abs(result[i] - wanted[i]), 0, 1e-11 * largest)
              << "step " << step << ", object " << o;
      }
      pairs.insert(pairs.begin(), random_pair(random, size));
      if (pairs.size() > most_pairs) pairs.pop_back();
    }
  }
}

TEST(SearchMemory, FulfilsTheSecantEquationForTheNewestPair) {
  // H y = s for the newest pair, whatever came before: the direction of the gradient y is -s.
  const Shares shares({40});
  const std::size_t size = rows * 40;
  std::mt19937_64 random(3);
  const std::vector<double> below{0.3, 0.3, 0.9};
  SearchMemory memory = shares.memory(0);
  StepChange step_change{};
  for (int step = 1; step <= most_pairs; ++step) {
    const Pair pair = random_pair(random, size);
    const SearchProducts products = remember(memory, pair, pair.change, below);
    add_newest(products, step_change);
    Vector direction(size);
    memory.direction(pair.change, below, two_loops(products, step_change, step), direction);
    for (std::size_t i = 0; i < size; ++i)
      EXPECT_NEAR(std::abs(direction[i] + pair.step[i]), 0, 1e-12) << step << " pairs";
  }
}

TEST(SearchMemory, ForgetsAllWhenCleared) {
  const Shares shares({9});
  std::mt19937_64 random(4);
  SearchMemory memory = shares.memory(0);
  const Vector gradient = random_vector(random, rows * 9);
  const std::vector<double> below{1, 1, 1};
  EXPECT_GT(remember(memory, random_pair(random, rows * 9), gradient, below).step_square, 0);
  memory.clear();
  const SearchProducts products = memory.products(gradient, below);
  EXPECT_GT(products.steepness, 0);
  for (const double value : products.values())
    EXPECT_TRUE(value == 0 || value == products.steepness) << value;
}

TEST(SearchProducts, AreTheSameAfterTheWayThroughASum) {
  std::array<double, SearchProducts::count> values{};
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i) + 0.5;
  EXPECT_EQ(SearchProducts::of(values).values(), values);
}

}  // namespace
}  // namespace fg::ab_initio
