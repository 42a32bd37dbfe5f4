// SPDX-License-Identifier: BSD-3-Clause
//
// Differences of positions, as the nearest image: Box::nearest_image with fewer operations.
#pragma once

#include "base/box.hpp"
#include "base/vec3.hpp"

namespace fg {

struct NearestDifference {
  Vec3 edge, inverse;
  Tilt tilt;

  explicit NearestDifference(const Box& box) noexcept
      : edge(box.edge),
        inverse{1.0 / box.edge.x, 1.0 / box.edge.y, 1.0 / box.edge.z},
        tilt(box.tilt) {
    if (!box.periodic) inverse = {};  // without images the difference is kept
  }
  Vec3 operator()(const Vec3& a, const Vec3& b) const noexcept {
    Vec3 d = a - b;
    const double c_vectors = rounded(d.z * inverse.z);
    d -= Vec3{tilt.xz, tilt.yz, edge.z} * c_vectors;
    const double b_vectors = rounded(d.y * inverse.y);
    d.x -= tilt.xy * b_vectors;
    d.y -= edge.y * b_vectors;
    d.x -= edge.x * rounded(d.x * inverse.x);
    return d;
  }

 private:
  /// Rounds to the nearest whole number, for |x| < 2^51, without a function call.
  static double rounded(double x) noexcept {
    constexpr double magic = 6755399441055744.0;  // 1.5 * 2^52
    return (x + magic) - magic;
  }
};

}  // namespace fg
