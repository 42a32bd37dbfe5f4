// SPDX-License-Identifier: BSD-3-Clause
//
// How much of something is in a part of the box. It is added at places, and summed over small bins.
// Within a bin it is spread evenly.
#pragma once

#include <array>
#include <vector>

#include "particles/assignment/cell_cut.hpp"
#include "particles/patch_grid.hpp"

namespace fg {

/// Bins of one size, as many in each patch.
class SpaceBins {
 public:
  explicit SpaceBins(const PatchGrid& grid);

  /// `place`: in patches from the lower corner of the box. Beyond the faces: in the next image, or
  /// at the face of an open box.
  void add(const std::array<double, 3>& place, double amount) noexcept;
  /// Along each axis of the box.
  const std::array<int, 3>& patches() const noexcept { return patches_; }
  const std::array<int, 3>& shape() const noexcept { return shape_; }
  /// Row-major.
  const std::vector<double>& amounts() const noexcept { return amounts_; }

 private:
  std::array<int, 3> patches_, shape_;
  bool periodic_;
  std::vector<double> amounts_;
};

class SpaceSums {
 public:
  explicit SpaceSums(const SpaceBins& bins);

  /// In a part of space that may go beyond the upper faces of a periodic box.
  double in(const CellSpace& space) const noexcept;
  /// Along each axis.
  const std::array<int, 3>& patches() const noexcept { return patches_; }
  /// The whole box.
  CellSpace whole() const noexcept;

 private:
  double below(const std::array<double, 3>& corner) const noexcept;
  double inside(const CellSpace& space) const noexcept;

  std::array<int, 3> patches_, bins_;  // of the box
  std::vector<double> sums_;  // [x + 1][y + 1][z + 1] of all bins below this corner of a bin
};

}  // namespace fg
