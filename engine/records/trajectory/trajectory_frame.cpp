// SPDX-License-Identifier: BSD-3-Clause
#include "records/trajectory/trajectory_frame.hpp"

#include <cmath>

#include "base/error.hpp"
#include "base/units.hpp"

namespace fg {

namespace {

/// Moves a position into the box, in the precision of the file: single precision, below the edge.
/// In a tilted cell it may end outside a slanting face by one rounding.
void wrap(float* position, Int3& image, const Box& box) {
  const auto place = [&](int axis) {
    return box.fractional({position[0], position[1], position[2]})[axis];
  };
  const auto subtract = [&](int axis, int boxes) {
    const Vec3 vector = box.vector(axis);
    for (int k = 0; k <= axis; ++k)
      position[k] = static_cast<float>(position[k] - boxes * vector[k]);
    image[axis] += boxes;
  };
  for (int axis = 2; axis >= 0; --axis) {
    subtract(axis, static_cast<int>(std::floor(place(axis))));
    if (place(axis) < 1) continue;
    subtract(axis, 1);  // it is less than one rounding below the edge
    if (box.orthorhombic()) position[axis] = 0;
  }
}

Box in_nm(const Box& box) {
  constexpr double nm = units::bohr_in_nm;
  return {.edge = box.edge * nm,
          .periodic = box.periodic,
          .tilt = {box.tilt.xy * nm, box.tilt.xz * nm, box.tilt.yz * nm}};
}

/// Moves a position into a cell of any vectors.
void wrap(Vec3& position, Int3& image, const CellVectors& cell) {
  const Vec3 normal[3] = {cross(cell[1], cell[2]), cross(cell[2], cell[0]),
                          cross(cell[0], cell[1])};
  const double volume = dot(cell[0], normal[0]);
  Int3 boxes{};
  for (int axis = 0; axis < 3; ++axis)
    boxes[axis] = static_cast<int>(std::floor(dot(position, normal[axis]) / volume));
  for (int axis = 0; axis < 3; ++axis) {
    position = position - static_cast<double>(boxes[axis]) * cell[static_cast<std::size_t>(axis)];
    image[axis] += boxes[axis];
  }
}

}  // namespace

std::vector<float> flat_of(std::span<const Vec3> vectors, double unit) {
  std::vector<float> flat(3 * vectors.size());
  for (std::size_t i = 0; i < vectors.size(); ++i)
    for (int axis = 0; axis < 3; ++axis)
      flat[3 * i + static_cast<std::size_t>(axis)] = static_cast<float>(vectors[i][axis] * unit);
  return flat;
}

WrappedPositions wrapped(const Box& box, std::span<const Vec3> positions,
                         std::span<const Int3> images) {
  FG_CHECK(images.size() == positions.size());
  WrappedPositions inside{flat_of(positions, units::bohr_in_nm), {images.begin(), images.end()}};
  const Box nm = in_nm(box);
  if (nm.periodic)
    for (std::size_t i = 0; i < positions.size(); ++i)
      wrap(&inside.flat[3 * i], inside.images[i], nm);
  return inside;
}

WrappedPositions wrapped(const CellVectors& cell, bool periodic, std::span<const Vec3> positions) {
  std::vector<Vec3> inside(positions.begin(), positions.end());
  std::vector<Int3> images(positions.size());
  if (periodic)
    for (std::size_t i = 0; i < inside.size(); ++i) wrap(inside[i], images[i], cell);
  return {flat_of(inside, units::bohr_in_nm), std::move(images)};
}

}  // namespace fg
