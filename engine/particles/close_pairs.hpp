// SPDX-License-Identifier: BSD-3-Clause
//
// Pairs of atoms that are close to each other, found by sorting atoms into cells. It serves
// calculations that are done once or rarely, in one place and in double precision. For the forces
// of every step there are pair lists. Units: bohr.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"
#include "base/vec3.hpp"

namespace fg {

class CloseCells {
 public:
  /// Cells are at least `limit` wide. Positions may be outside the box.
  CloseCells(const Box& box, std::span<const Vec3> positions, double limit);

  /// Calls visit(a, b, d) for atoms closer than the limit; d is the vector from a to b. The order
  /// depends only on the positions.
  template <class Visit>
  void for_each_pair(std::span<const Vec3> positions, Visit&& visit) const {
    std::vector<int> near;
    for (int cell = 0; cell < cells(); ++cell) {
      find_neighbours(cell, near);
      for (const int other : near)
        for (int i = start_[cell]; i < start_[cell + 1]; ++i)
          for (int j = other == cell ? i + 1 : start_[other]; j < start_[other + 1]; ++j) {
            const std::int32_t a = atoms_[i], b = atoms_[j];
            const Vec3 d = box_.nearest_image(positions[b] - positions[a]);
            if (dot(d, d) < limit2_) visit(a, b, d);
          }
    }
  }

 private:
  int cells() const noexcept { return static_cast<int>(start_.size()) - 1; }
  /// The cell itself and the touching cells after it, each once.
  void find_neighbours(int cell, std::vector<int>& near) const;

  Box box_;
  double limit2_;
  int shape_[3] = {1, 1, 1};
  std::vector<std::int32_t> start_;  // [cells + 1]
  std::vector<std::int32_t> atoms_;  // by cell, ascending in each
};

}  // namespace fg
