// SPDX-License-Identifier: BSD-3-Clause
//
// A frame as a trajectory keeps it. All particles are inside the cell, so a molecule may be split.
// Each particle says in which image it was. Units: Hartree atomic units, and nm where it says so.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/box.hpp"

namespace fg {

/// Positions inside the cell [nm] as x, y, z of each particle, and the number of cells to add per
/// axis. Unwrapped positions are position + image * cell.
struct WrappedPositions {
  std::vector<float> flat;
  std::vector<Int3> images;
};

/// `images` are the numbers of boxes to add before.
WrappedPositions wrapped(const Box& box, std::span<const Vec3> positions,
                         std::span<const Int3> images);
/// Positions may be anywhere; without `periodic` they stay there.
WrappedPositions wrapped(const CellVectors& cell, bool periodic, std::span<const Vec3> positions);

/// The components in another unit, in single precision.
std::vector<float> flat_of(std::span<const Vec3> vectors, double unit);

/// `velocities` and `forces` may be empty unless the trajectory was asked for them.
struct TrajectoryFrame {
  std::int64_t step;
  double time;
  CellVectors cell;
  WrappedPositions inside;
  std::span<const Vec3> velocities{};
  std::span<const Vec3> forces{};
};

}  // namespace fg
