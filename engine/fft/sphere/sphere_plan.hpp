// SPDX-License-Identifier: BSD-3-Clause
//
// Who has what when the waves of a sphere become points, without data; backward, the other way:
//   columns   each rank has some columns, and transforms their lines along z
//   y lines   boxes that are whole along y; only planes of x with a column in them take part
//   x lines   boxes that are whole along x
//   points    the boxes of the caller
// Two steps that have the same boxes are one, and need no exchange between them.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "fft/sphere/wave_sphere.hpp"

namespace fg::fft {

/// A line along z that is not zero, by its point of the grid.
struct SphereLine {
  int x, y;
};

class SpherePlan {
 public:
  /// `points` has one box a rank. Throws InputError if they do not cover the sphere's grid.
  SpherePlan(WaveSphere sphere, std::vector<GridBox> points);

  const WaveSphere& sphere() const noexcept { return sphere_; }
  int ranks() const noexcept { return static_cast<int>(points_.size()); }

  /// A rank's waves are those of these columns, in this order; in a column z ascends.
  std::span<const int> columns_of(int rank) const noexcept {
    return columns_[static_cast<std::size_t>(rank)];
  }
  std::size_t waves_of(int rank) const noexcept;
  /// The indices (x, y, z) of a rank's waves.
  std::vector<std::array<int, 3>> indices_of(int rank) const;

  /// The lines of a rank's columns. In a half sphere, each but that of x = y = 0 is followed by the
  /// line of the waves -G.
  std::vector<SphereLine> lines_of(int rank) const;

  /// The planes of x with a line in them, in ascending order; `plane_at` is -1 for others.
  std::span<const int> planes() const noexcept { return planes_; }
  int plane_at(int x) const noexcept { return plane_at_[static_cast<std::size_t>(x)]; }

  /// Boxes of all ranks: in the grid of these planes; in the same grid; and in the whole grid.
  const std::vector<GridBox>& y_boxes() const noexcept { return y_boxes_; }
  const std::vector<GridBox>& x_boxes() const noexcept { return x_boxes_; }
  const std::vector<GridBox>& full_boxes() const noexcept { return full_boxes_; }
  const std::vector<GridBox>& points() const noexcept { return points_; }

 private:
  WaveSphere sphere_;
  std::vector<std::vector<int>> columns_;
  std::vector<int> planes_, plane_at_;
  std::vector<GridBox> y_boxes_, x_boxes_, full_boxes_, points_;
};

/// The boxes of points that need the fewest exchanges. These are slabs along z, or pencils along x
/// if there are more ranks than planes.
std::vector<GridBox> boxes_for_sphere(const Grid& grid, int ranks);

}  // namespace fg::fft
