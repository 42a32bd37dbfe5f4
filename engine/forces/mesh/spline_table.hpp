// SPDX-License-Identifier: BSD-3-Clause
//
// The spline weights of one patch's atoms, kept from spreading to interpolation, and the kernels
// that compute and use them. The charge is included in the x weights. The factor -points/edge,
// which converts a slope to a force along an axis, is included in the slopes. Lanes without a
// charge have x weights of zero. Layout per cluster of 8 atoms, n = order, w = n rounded up to 4 or
// 8:
//   x weights [n][8], x slopes [n][8], y weights [n][8], y slopes [n][8],
//   z weights [w/4][8][4], z slopes [w/4][8][4]
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "base/aligned_vector.hpp"
#include "base/bits.hpp"
#include "base/box.hpp"
#include "forces/mesh/bspline.hpp"

namespace fg {

template <class Real>
class PotentialRows;

template <class Real>
struct SplineTable {
  int order = 4;
  int clusters = 0;
  Bits bits = Bits::fast;              // of the sums of gather_forces
  TiltOf<Real> slant;                  // of the box's reciprocal vectors, from make_splines
  AlignedVector<Real> weights;         // [clusters][spline_cluster_size(order)]
  AlignedVector<std::int32_t> corner;  // [clusters][3][8] lowest point, from the frame's corner

  /// Room for `count` clusters; allocates only when it has to grow.
  void resize(int spline_order, int count);
};

constexpr int padded_order(int order) noexcept {
  return order <= 4 ? 4 : 8;
}
constexpr std::size_t spline_cluster_size(int order) noexcept {
  return 32 * order + 16 * padded_order(order);
}
/// Grid arrays have this many extra elements after their last point, which rows of padded weights
/// touch.
inline constexpr std::size_t grid_tail = 8;

template <class Real>
void SplineTable<Real>::resize(int spline_order, int count) {
  order = spline_order;
  clusters = count;
  weights.resize(std::max(weights.size(), count * spline_cluster_size(spline_order)));
  corner.resize(std::max(corner.size(), count * std::size_t{24}));
}

/// The atoms of a patch in the frame of its sub-grid.
template <class Real>
struct SplineAtoms {
  const Real* positions;  // [clusters][3][8] from the patch centre [bohr]
  const Real* charges;    // [clusters][8]; 0 for lanes without an atom, whose position is not used
  Vec3Of<Real> density;   // points per bohr, along the edges
  TiltOf<Real> slant;     // of the box's reciprocal vectors
  Vec3Of<Real> centre;    // the patch centre in points from the frame's corner
  std::array<int, 3> room;  // points in the frame
};

/// The points that some atom touches, relative to the frame's corner: low <= p < high.
struct TouchedPoints {
  std::array<int, 3> low{};
  std::array<int, 3> high{};
  std::int32_t outside = -1;  // the first lane (cluster * 8 + lane) whose points leave the frame
};

/// A dense block of mesh values, z fastest, grid_tail elements longer than its points.
template <class Real>
struct GridView {
  Real* values;
  std::array<int, 3> low;  // from the frame's corner
  std::array<int, 3> size;
};

/// Fills the table. An atom outside the frame, or with a NaN position, is reported and gets weights
/// of zero.
template <class Real>
TouchedPoints make_splines(const SplineAtoms<Real>& atoms, SplineTable<Real>& table) noexcept;

/// Adds the charges to the grid, which must hold all touched points, in the order of the atoms.
template <class Real>
void spread_charges(const SplineTable<Real>& table, const GridView<Real>& grid) noexcept;

/// Forces [clusters][3][8] from the potential on the same points.
template <class Real>
void gather_forces(const SplineTable<Real>& table, const PotentialRows<Real>& potential,
                   Real* forces) noexcept;

}  // namespace fg
