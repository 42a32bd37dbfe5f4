// SPDX-License-Identifier: BSD-3-Clause
//
// Transforms of arrays have the bits of transforms of one axis after the other, however they are
// cut to stay in the caches, and the factor is that of a multiplication afterwards.
#include "fft/array_transform.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <random>

#include "base/error.hpp"
#include "fft/lines/line_transform.hpp"
#include "fft/lines/real_lines.hpp"

namespace fg::fft::test {
namespace {

using Shape = std::vector<std::ptrdiff_t>;
using Waves = std::vector<std::complex<double>>;
using Points = std::vector<double>;

std::ptrdiff_t product(const Shape& shape, std::size_t begin, std::size_t end) {
  std::ptrdiff_t numbers = 1;
  for (std::size_t k = begin; k < end; ++k) numbers *= shape[k];
  return numbers;
}

Points random_numbers(std::ptrdiff_t count) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> unit(-1, 1);
  Points numbers(count);
  for (double& number : numbers) number = unit(random);
  return numbers;
}

/// One axis of the whole array.
void transform_axis(const Shape& shape, int axis, Direction direction, Waves& waves) {
  const auto length = static_cast<int>(shape[axis]);
  const auto inner = static_cast<int>(product(shape, axis + 1, shape.size()));
  const auto outer = static_cast<int>(product(shape, 0, axis));
  const LineLayout layout{inner, 1, length * inner};
  LineTransform<double>({length, inner, outer, layout, layout}, direction)
      .execute(waves.data(), waves.data());
}

std::vector<int> in_order(std::vector<int> axes, Direction direction) {
  std::sort(axes.begin(), axes.end());
  if (direction == Direction::forward) std::reverse(axes.begin(), axes.end());
  return axes;
}

struct Case {
  Shape shape;
  std::vector<int> axes;
};
// From one block that holds all, over planes, to planes that are too large; lines longer than the
// caches, few and many neighbours.
const Case cases[] = {{{5}, {0}},
                      {{40000}, {0}},
                      {{3, 40000}, {1}},
                      {{40000, 3}, {0}},
                      {{40000, 3}, {0, 1}},
                      {{7, 5, 6}, {0, 1, 2}},
                      {{7, 5, 6}, {2, 0}},
                      {{40, 36, 30}, {0, 1, 2}},
                      {{40, 36, 30}, {1}},
                      {{40, 36, 30}, {0, 2}},
                      {{12, 200, 220}, {0, 1, 2}},
                      {{3, 4, 40, 37, 10}, {4, 2, 3}},
                      {{1, 1, 9}, {0, 1, 2}}};

TEST(ArrayTransform, HasTheBitsOfOneAxisAfterTheOther) {
  for (const auto& [shape, axes] : cases)
    for (const Direction direction : {Direction::forward, Direction::backward}) {
      const std::ptrdiff_t count = product(shape, 0, shape.size());
      const Points numbers = random_numbers(2 * count);
      const auto* const in = reinterpret_cast<const std::complex<double>*>(numbers.data());
      Waves expected(in, in + count), found(count);
      for (const int axis : in_order(axes, direction))
        transform_axis(shape, axis, direction, expected);
      for (auto& wave : expected) wave = {wave.real() * 0.3, wave.imag() * 0.3};
      transform_array<double>({shape, axes, direction, 0.3}, in, found.data());
      EXPECT_TRUE(found == expected) << shape.size() << " dimensions, first " << shape[0];
      Waves same(in, in + count);
      transform_array<double>({shape, axes, direction, 0.3}, same.data(), same.data());
      EXPECT_TRUE(same == expected);
    }
}

TEST(ArrayTransform, RealPointsHaveTheBitsOfOneAxisAfterTheOther) {
  for (const auto& [shape, all_axes] : cases) {
    const int last = static_cast<int>(shape.size()) - 1;
    std::vector<int> axes = all_axes;
    std::erase(axes, last);
    Shape kept = shape;
    kept[last] = shape[last] / 2 + 1;
    const std::ptrdiff_t lines = product(shape, 0, last);
    const Points points = random_numbers(lines * shape[last]);
    RealLines<double> real(static_cast<int>(shape[last]), static_cast<int>(lines));

    Waves expected(lines * kept[last]), found(expected.size());
    real.forward(points.data(), expected.data());
    for (const int axis : in_order(axes, Direction::forward))
      transform_axis(kept, axis, Direction::forward, expected);
    axes.push_back(last);
    for (auto& wave : expected) wave = {wave.real() * 0.3, wave.imag() * 0.3};
    transform_real_array<double>({shape, axes, Direction::forward, 0.3}, points.data(),
                                 found.data());
    EXPECT_TRUE(found == expected) << shape.size() << " dimensions, first " << shape[0];

    const Waves given = found;
    Points back(points.size()), expected_back(points.size());
    axes.pop_back();
    for (const int axis : in_order(axes, Direction::backward))
      transform_axis(kept, axis, Direction::backward, expected);
    real.backward(expected.data(), expected_back.data());
    for (double& point : expected_back) point *= 0.5;
    axes.push_back(last);
    transform_array_to_real<double>({shape, axes, Direction::backward, 0.5}, found.data(),
                                    back.data());
    EXPECT_TRUE(back == expected_back);
    EXPECT_TRUE(found == given);
  }
}

TEST(ArrayTransform, RefusesNeighboursTooFarApart) {
  const ArrayTransform task{{2, std::ptrdiff_t{1} << 31}, {0}, Direction::forward, 1};
  EXPECT_THROW(transform_array<double>(task, nullptr, nullptr), InputError);
}

}  // namespace
}  // namespace fg::fft::test
