// SPDX-License-Identifier: BSD-3-Clause
//
// Forces on all ions and a virial as one list of numbers, for sums over objects.
#pragma once

#include <cstddef>
#include <span>
#include <tuple>
#include <vector>

#include "base/vec3.hpp"
#include "base/virial.hpp"

namespace fg::ab_initio {

constexpr std::size_t count_of_force_numbers(std::size_t ions) noexcept {
  return 3 * ions + std::tuple_size_v<Virial>;
}

inline std::vector<double> force_numbers(std::span<const Vec3> forces, const Virial& virial) {
  std::vector<double> numbers;
  for (const Vec3& force : forces) numbers.insert(numbers.end(), {force.x, force.y, force.z});
  numbers.insert(numbers.end(), virial.begin(), virial.end());
  return numbers;
}

/// Adds what force_numbers has made.
inline void add_force_numbers(std::span<const double> numbers, std::span<Vec3> forces,
                              Virial& virial) {
  std::size_t i = 0;
  for (Vec3& force : forces) {
    force += {numbers[i], numbers[i + 1], numbers[i + 2]};
    i += 3;
  }
  for (double& component : virial) component += numbers[i++];
}

}  // namespace fg::ab_initio
