// SPDX-License-Identifier: BSD-3-Clause
//
// How the charges of a round reach the z-pencils. A spreader and a pencil of one process meet
// directly. What several spreaders of a process have for a pencil of another one is added up first.
// For one or two spreaders the sum would cost more time than it saves.
#pragma once

#include <span>
#include <vector>

#include "forces/mesh/mesh_frame.hpp"

namespace fg {

struct ChargeSums {
  /// Spreaders of a process whose charges for a pencil are added up. With sums of one and of two, a
  /// step of DHFR took a tenth longer on 32 simulated nodes of a fat tree.
  static constexpr int fewest = 3;

  std::vector<std::vector<int>> pencils;  // [spreader] those that its block may touch, ascending
  std::vector<bool> wide;  // [spreader] its block may have a point twice, so it cannot be parted
  // For the present places of objects:
  std::vector<int> awaited;    // [pencil] messages with charges of a round
  std::vector<int> collected;  // [pencil] spreaders here whose charges are added up, or 0

  /// All objects are in one process.
  explicit ChargeSums(const MeshDivision& division);

  /// Called between runs: where the spreaders and the pencils are, seen from process `here`.
  void count(std::span<const int> process_of_spreader, std::span<const int> process_of_pencil,
             int here);
};

}  // namespace fg
