// SPDX-License-Identifier: BSD-3-Clause
//
// How the charges of a round reach the z-pencils. A spreader and a pencil of one process meet
// directly. What the spreaders of a process have for a pencil of another one is added up first.
#pragma once

#include <span>
#include <vector>

#include "forces/mesh/mesh_frame.hpp"

namespace fg {

struct ChargeSums {
  std::vector<std::vector<int>> pencils;  // [spreader] those that its block may touch, ascending
  // For the present places of objects:
  std::vector<int> awaited;  // [pencil] messages with charges of a round
  std::vector<int>
      collected;  // [pencil] spreaders here whose charges are added up; 0 if it is here

  /// All objects are in one process.
  explicit ChargeSums(const MeshDivision& division);

  /// Called between runs: where the spreaders and the pencils are, seen from process `here`.
  void count(std::span<const int> process_of_spreader, std::span<const int> process_of_pencil,
             int here);
};

}  // namespace fg
