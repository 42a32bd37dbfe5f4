// SPDX-License-Identifier: BSD-3-Clause
#include "particles/copies.hpp"

#include <cmath>

namespace fg {

Box repeated(const Box& cell, const Int3& repeat) noexcept {
  if (repeat == Int3{1, 1, 1}) return cell;
  Box box = cell;
  box.edge = {cell.edge.x * repeat.x, cell.edge.y * repeat.y, cell.edge.z * repeat.z};
  box.tilt = {cell.tilt.xy * repeat.y, cell.tilt.xz * repeat.z, cell.tilt.yz * repeat.z};
  // Whole vectors b, then a, are taken from c, then a from b: the lattice stays. A tilt at the
  // limit stays as it is.
  const auto whole = [](double tilt, double edge) {
    const double share = tilt / edge;
    return std::abs(share) <= 0.5 * (1 + 1e-7) ? 0.0 : std::nearbyint(share);
  };
  const double b = whole(box.tilt.yz, box.edge.y);
  box.tilt.yz -= b * box.edge.y;
  box.tilt.xz -= b * box.tilt.xy;
  box.tilt.xz -= whole(box.tilt.xz, box.edge.x) * box.edge.x;
  box.tilt.xy -= whole(box.tilt.xy, box.edge.x) * box.edge.x;
  return box;
}

Int3 cells_between(const Box& cell, const Vec3& from, const Vec3& to) noexcept {
  if (!cell.periodic) return {};
  const Vec3 d = from - to;
  const Vec3 s = cell.fractional(d - cell.nearest_image(d));
  return {static_cast<int>(std::lround(s.x)), static_cast<int>(std::lround(s.y)),
          static_cast<int>(std::lround(s.z))};
}

}  // namespace fg
