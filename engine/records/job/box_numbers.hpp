// SPDX-License-Identifier: BSD-3-Clause
//
// The box as numbers in files and digests. First come the three edges. If the cell is not
// orthorhombic, the tilts xy, xz and yz follow. Units: bohr.
#pragma once

#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/sha256.hpp"

namespace fg {

inline std::vector<double> numbers_of(const Box& box) {
  std::vector<double> numbers{box.edge.x, box.edge.y, box.edge.z};
  if (!box.orthorhombic()) numbers.insert(numbers.end(), {box.tilt.xy, box.tilt.xz, box.tilt.yz});
  return numbers;
}

inline constexpr double shortest_edge = 1e-3, longest_edge = 1e7;  // that a file may have
constexpr const char* box_numbers_rule = "the box has neither 3 edges nor 3 edges and 3 tilts";

/// False if there are neither three nor six numbers.
inline bool take_box(std::span<const double> numbers, Box& box) {
  if (numbers.size() != 3 && numbers.size() != 6) return false;
  box.edge = {numbers[0], numbers[1], numbers[2]};
  box.tilt = numbers.size() == 6 ? Tilt{numbers[3], numbers[4], numbers[5]} : Tilt{};
  return true;
}

inline void add_box(Sha256& sum, const Box& box) {
  for (const double number : numbers_of(box)) sum.add(number);
}

}  // namespace fg
