// SPDX-License-Identifier: BSD-3-Clause
//
// An orthorhombic box with its corner at the origin: periodic, or open. An open box has no images
// and does not end at its edges. Units: bohr.
#pragma once

#include <cmath>

#include "base/vec3.hpp"

namespace fg {

struct Box {
  Vec3 edge;  // [3] all positive
  bool periodic = true;

  double volume() const noexcept { return edge.x * edge.y * edge.z; }

  /// The shortest periodic image of a difference of two positions.
  Vec3 nearest_image(Vec3 d) const noexcept {
    if (!periodic) return d;
    for (int axis = 0; axis < 3; ++axis)
      d[axis] -= edge[axis] * std::nearbyint(d[axis] / edge[axis]);
    return d;
  }

  /// The number of edges to subtract per axis so that `position` lies in [0, edge).
  Int3 image_of(const Vec3& position) const noexcept {
    Int3 image;
    if (!periodic) return image;
    for (int axis = 0; axis < 3; ++axis)
      image[axis] = static_cast<int>(std::floor(position[axis] / edge[axis]));
    return image;
  }
};

}  // namespace fg
