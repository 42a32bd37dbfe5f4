// SPDX-License-Identifier: BSD-3-Clause
//
// The division of the box into patches, fixed by the job. As many patches as the job's reach are
// together at least as wide as one list radius plus the reach of two fragments. So all partners of
// the atoms of a patch are in it or in the patches up to that many away (particles/half_shell.hpp).
// The width is that between opposite faces. Over a distance d the fractional coordinate of an axis
// changes by at most d over the width of the box. So if d is less than n patches' width, the index
// of the patch changes by at most n, in a tilted cell too.
//
// An axis may have few patches. Then several neighbours are images of the same patch, and each
// image is a partner of its own. In an open box the outermost patches have no outer edge, and there
// are no images. If all patches of an axis are within the reach of each other, atoms at any
// distance along it are partners. Units: bohr.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>

#include "base/box.hpp"

namespace fg {

using PatchIndex = std::array<int, 3>;

class PatchGrid {
 public:
  PatchGrid(const Box& box, std::array<int, 3> shape) : box_(box), shape_(shape) {
    for (int axis = 0; axis < 3; ++axis) cell_.edge[axis] = box.edge[axis] / shape[axis];
    cell_.tilt = {box.tilt.xy / shape[1], box.tilt.xz / shape[2], box.tilt.yz / shape[2]};
    widths_ = cell_.widths();
  }

  const Box& box() const noexcept { return box_; }
  const std::array<int, 3>& shape() const noexcept { return shape_; }
  /// The distances between opposite faces of a patch.
  const Vec3& widths() const noexcept { return widths_; }
  int size() const noexcept { return shape_[0] * shape_[1] * shape_[2]; }

  /// Row-major, the last axis fastest.
  int flat(const PatchIndex& p) const noexcept {
    return (p[0] * shape_[1] + p[1]) * shape_[2] + p[2];
  }
  PatchIndex unflat(int i) const noexcept {
    return {i / (shape_[1] * shape_[2]), i / shape_[2] % shape_[1], i % shape_[2]};
  }

  Vec3 centre(const PatchIndex& p) const noexcept {
    return cell_.position(Vec3{p[0] + 0.5, p[1] + 0.5, p[2] + 0.5});
  }

  /// Whether all patches along an axis are at most `reach` apart, so that atoms at any distance
  /// along it are partners.
  bool all_within(int axis, int reach) const noexcept {
    return !box_.periodic && shape_[axis] <= reach + 1;
  }

  /// Whether there is a patch at `offset`, also across the edge in a periodic box.
  bool reaches(const PatchIndex& p, const std::array<int, 3>& offset) const noexcept {
    if (box_.periodic) return true;
    for (int axis = 0; axis < 3; ++axis) {
      const int to = p[axis] + offset[axis];
      if (to < 0 || to >= shape_[axis]) return false;
    }
    return true;
  }

  /// The patch at `offset`, across the periodic edges of the box.
  PatchIndex neighbour(const PatchIndex& p, const std::array<int, 3>& offset) const noexcept {
    PatchIndex q;
    for (int axis = 0; axis < 3; ++axis)
      q[axis] = ((p[axis] + offset[axis]) % shape_[axis] + shape_[axis]) % shape_[axis];
    return q;
  }

  /// The vector from a patch's centre to that of the image at `offset` [bohr].
  Vec3 shift(const std::array<int, 3>& offset) const noexcept {
    return cell_.position(Int3{offset[0], offset[1], offset[2]});
  }

  /// Moves a fragment into the box according to its first atom, and says which patch holds it. All
  /// code that places atoms (start, restart, migration) uses this function, so that all agree bit
  /// for bit. `first` is the first atom's position; the vectors of the result's image are to be
  /// subtracted from all positions.
  struct Place {
    PatchIndex patch;
    Int3 image;
  };
  Place place(const Vec3& first) const noexcept {
    if (!box_.periodic) return {.patch = holding(first), .image = {}};
    Int3 image = box_.image_of(first);
    // A coordinate just below zero is rounded to the edge itself, which has another image. Placed
    // again after a restart, the atom would go elsewhere. So it keeps its place. (In a tilted cell
    // image_of does this.)
    const Vec3 wrapped = box_.fractional(first - box_.position(image));
    for (int axis = 0; axis < 3; ++axis)
      if (wrapped[axis] >= 1 && box_.orthorhombic()) ++image[axis];
    return {.patch = holding(first - box_.position(image)), .image = image};
  }

  /// The patch that holds a position in the box, or any position in an open box. Rounding at the
  /// upper faces stays inside.
  PatchIndex holding(const Vec3& position) const noexcept {
    const Vec3 s = cell_.fractional(position);
    PatchIndex p;
    for (int axis = 0; axis < 3; ++axis)
      p[axis] = static_cast<int>(std::clamp(std::floor(s[axis]), 0.0, shape_[axis] - 1.0));
    return p;
  }

 private:
  Box box_;
  std::array<int, 3> shape_;
  Box cell_;  // one patch
  Vec3 widths_;
};

}  // namespace fg
