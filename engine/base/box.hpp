// SPDX-License-Identifier: BSD-3-Clause
//
// The cell with its corner at the origin: periodic, or open. An open box has no images and does not
// end at its edges. Its vectors are
//   a = (edge.x, 0, 0),  b = (tilt.xy, edge.y, 0),  c = (tilt.xz, tilt.yz, edge.z).
// Any cell can be rotated so. The volume is the product of the edges. A cell is reduced if b and c
// cannot be made shorter by adding a or b: |xy|, |xz| <= edge.x / 2 and |yz| <= edge.y / 2. Units:
// bohr.
#pragma once

#include <array>
#include <cmath>

#include "base/vec3.hpp"

namespace fg {

template <class T>
struct TiltOf {
  T xy = 0, xz = 0, yz = 0;

  bool operator==(const TiltOf&) const = default;
};

using Tilt = TiltOf<double>;

/// The vectors of a cell, in any orientation.
using CellVectors = std::array<Vec3, 3>;

struct Box {
  Vec3 edge;  // all positive
  bool periodic = true;
  Tilt tilt{};

  bool operator==(const Box&) const = default;

  bool orthorhombic() const noexcept { return tilt == Tilt{}; }
  double volume() const noexcept { return edge.x * edge.y * edge.z; }

  /// The vector a, b or c.
  Vec3 vector(int axis) const noexcept {
    if (axis == 0) return {edge.x, 0, 0};
    if (axis == 1) return {tilt.xy, edge.y, 0};
    return {tilt.xz, tilt.yz, edge.z};
  }
  CellVectors vectors() const noexcept { return {vector(0), vector(1), vector(2)}; }

  /// s.x a + s.y b + s.z c.
  Vec3 position(const Vec3& s) const noexcept {
    return {s.x * edge.x + s.y * tilt.xy + s.z * tilt.xz, s.y * edge.y + s.z * tilt.yz,
            s.z * edge.z};
  }
  Vec3 position(const Int3& images) const noexcept {
    return position(Vec3{double(images.x), double(images.y), double(images.z)});
  }

  /// The s of which `r` is the position.
  Vec3 fractional(const Vec3& r) const noexcept {
    const double z = r.z / edge.z;
    const double y = (r.y - z * tilt.yz) / edge.y;
    return {(r.x - y * tilt.xy - z * tilt.xz) / edge.x, y, z};
  }

  /// The tilt of the reciprocal vectors, whose products with a position are its fractional
  /// coordinates:
  ///   a* = (1, xy, xz) / edge.x,  b* = (0, 1, yz) / edge.y,  c* = (0, 0, 1) / edge.z.
  Tilt reciprocal_tilt() const noexcept {
    return {-tilt.xy / edge.y, (tilt.xy * tilt.yz / edge.y - tilt.xz) / edge.z, -tilt.yz / edge.z};
  }

  /// The distances between opposite faces.
  Vec3 widths() const noexcept {
    if (orthorhombic()) return edge;
    // |a x c| / edge.x and |b x c|.
    const double ac = std::hypot(edge.z, tilt.yz);
    const Vec3 bc{edge.y * edge.z, -tilt.xy * edge.z, tilt.xy * tilt.yz - edge.y * tilt.xz};
    return {volume() / norm(bc), edge.y * edge.z / ac, edge.z};
  }

  /// The image of a difference of two positions that is within half an edge on each axis. It is
  /// found from c to a. If it is shorter than half the shortest edge, it is the shortest image. The
  /// reason: an image so short is within half an edge on each axis, and only one image is.
  Vec3 nearest_image(Vec3 d) const noexcept {
    if (!periodic) return d;
    for (int axis = 2; axis >= 0; --axis) d -= vector(axis) * std::nearbyint(d[axis] / edge[axis]);
    return d;
  }

  /// The number of vectors to subtract per axis so that `position` lies in the cell. By rounding, a
  /// position moved into a tilted cell may end just outside; it then has no image to subtract.
  Int3 image_of(const Vec3& position) const noexcept {
    Int3 image;
    if (!periodic) return image;
    const double slack = orthorhombic() ? 0 : 1e-12;
    const Vec3 s = fractional(position);
    for (int axis = 0; axis < 3; ++axis)
      if (s[axis] < -slack || s[axis] >= 1 + slack)
        image[axis] = static_cast<int>(std::floor(s[axis]));
    return image;
  }
};

// With `slant`, the reciprocal tilt of a box:

/// Fractional coordinates times the edges, of a position.
template <class T>
constexpr Vec3Of<T> along_axes(const Vec3Of<T>& r, const TiltOf<T>& slant) noexcept {
  return {r.x + slant.xy * r.y + slant.xz * r.z, r.y + slant.yz * r.z, r.z};
}

/// A wave vector from its components along a*, b* and c* over the edges. It also gives a force from
/// its components for moves along a, b and c, each over its edge.
template <class T>
constexpr Vec3Of<T> from_axes(const Vec3Of<T>& s, const TiltOf<T>& slant) noexcept {
  return {s.x, s.y + slant.xy * s.x, s.z + slant.yz * s.y + slant.xz * s.x};
}

}  // namespace fg
