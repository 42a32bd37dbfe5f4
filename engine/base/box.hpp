// SPDX-License-Identifier: BSD-3-Clause
//
// An orthorhombic periodic box with its corner at the origin.
// Units: bohr.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace fg {

struct Box {
  Vec3 edge;  // [3] all positive

  double volume() const noexcept { return edge.x * edge.y * edge.z; }

  /// The shortest of the images of a difference of two positions.
  Vec3 nearest_image(Vec3 d) const noexcept {
    for (int axis = 0; axis < 3; ++axis)
      d[axis] -= edge[axis] * std::nearbyint(d[axis] / edge[axis]);
    return d;
  }

  /// How many edges to subtract per axis so that `position` lies in [0, edge).
  Int3 image_of(const Vec3& position) const noexcept {
    Int3 image;
    for (int axis = 0; axis < 3; ++axis)
      image[axis] = static_cast<int>(std::floor(position[axis] / edge[axis]));
    return image;
  }
};

}  // namespace fg
