// SPDX-License-Identifier: BSD-3-Clause
//
// Arrays of random numbers.
#pragma once

#include <cstddef>
#include <random>
#include <vector>

namespace fg::test {

/// Numbers in (-3, 3), the same for the same seed.
template <class Real>
std::vector<Real> random_values(std::size_t size, unsigned seed) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<Real> unit(-3, 3);
  std::vector<Real> values(size);
  for (auto& value : values) value = unit(random);
  return values;
}

}  // namespace fg::test
