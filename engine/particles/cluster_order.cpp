// SPDX-License-Identifier: BSD-3-Clause
#include "particles/cluster_order.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/elementary.hpp"

namespace fg {
namespace {

/// The number of cuts along two axes, and the third axis, along which columns are cut into quads.
struct Cuts {
  int slab_axis, column_axis, quad_axis;
  int slabs, columns;
};

/// The cuts whose quads are closest to cubes, by the sum of their squared edges.
Cuts choose_cuts(const Vec3& extent, int quads) {
  Cuts best{0, 1, 2, 1, 1};
  double least = std::numeric_limits<double>::infinity();
  const double edge = elementary::cbrt(std::max(extent.x, 1e-3) * std::max(extent.y, 1e-3) *
                                       std::max(extent.z, 1e-3) / quads);
  for (int quad_axis = 2; quad_axis >= 0; --quad_axis) {
    const int slab_axis = quad_axis == 0 ? 1 : 0, column_axis = quad_axis == 2 ? 1 : 2;
    const auto cuts_along = [&](int axis) {
      return std::clamp(static_cast<int>(extent[axis] / edge), 1, quads);
    };
    const int slabs = cuts_along(slab_axis), columns = cuts_along(column_axis);
    for (int a = slabs; a <= slabs + 1; ++a) {
      for (int b = columns; b <= columns + 1; ++b) {
        if (a * b > quads) continue;
        const double x = extent[slab_axis] / a, y = extent[column_axis] / b,
                     z = extent[quad_axis] * a * b / quads;
        const double cost = x * x + y * y + z * z;
        if (cost < least) {
          least = cost;
          best = {slab_axis, column_axis, quad_axis, a, b};
        }
      }
    }
  }
  return best;
}

class Sorter {
 public:
  Sorter(std::span<const Vec3> positions, std::span<const std::uint8_t> has_lennard_jones)
      : positions_(positions), has_lennard_jones_(has_lennard_jones) {}

  void sort(std::span<std::int32_t> atoms) const {
    const Cuts cuts = choose_cuts(extent(atoms), quads_of(atoms));
    for_each_part(atoms, cuts.slab_axis, cuts.slabs, [&](std::span<std::int32_t> slab) {
      for_each_part(slab, cuts.column_axis, cuts.columns, [&](std::span<std::int32_t> column) {
        for_each_part(column, cuts.quad_axis, quads_of(column),
                      [&](std::span<std::int32_t> quad) { sort_quad(quad); });
      });
    });
  }

 private:
  static int quads_of(std::span<const std::int32_t> atoms) {
    return static_cast<int>((atoms.size() + quad_size - 1) / quad_size);
  }

  /// Divides into parts of nearly equal numbers of quads, in order of their coordinates.
  template <class Visit>
  void for_each_part(std::span<std::int32_t> atoms, int axis, int parts, Visit visit) const {
    std::sort(atoms.begin(), atoms.end(), [this, axis](std::int32_t a, std::int32_t b) {
      const double xa = positions_[a][axis], xb = positions_[b][axis];
      return xa != xb ? xa < xb : a < b;
    });
    const int quads = quads_of(atoms);
    std::size_t begin = 0;
    for (int part = 0; part < parts; ++part) {
      const std::size_t end = std::min<std::size_t>(
          atoms.size(), static_cast<std::size_t>(quads) * (part + 1) / parts * quad_size);
      if (end > begin) visit(atoms.subspan(begin, end - begin));
      begin = end;
    }
  }

  void sort_quad(std::span<std::int32_t> quad) const {
    std::sort(quad.begin(), quad.end(), [this](std::int32_t a, std::int32_t b) {
      const bool lj_a = has_lennard_jones_[a] != 0, lj_b = has_lennard_jones_[b] != 0;
      return lj_a != lj_b ? lj_a : a < b;
    });
  }

  Vec3 extent(std::span<const std::int32_t> atoms) const {
    Vec3 low = positions_[atoms[0]], high = low;
    for (const std::int32_t a : atoms) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], positions_[a][axis]);
        high[axis] = std::max(high[axis], positions_[a][axis]);
      }
    }
    return high - low;
  }

  std::span<const Vec3> positions_;
  std::span<const std::uint8_t> has_lennard_jones_;
};

}  // namespace

void make_cluster_order(std::span<const Vec3> positions,
                        std::span<const std::uint8_t> has_lennard_jones, ClusterOrder& order) {
  const auto n = static_cast<std::int32_t>(positions.size());
  const std::int32_t slots = (n + cluster_size - 1) / cluster_size * cluster_size;
  order.atom_of_slot.resize(slots);
  order.slot_of_atom.resize(n);
  for (std::int32_t a = 0; a < slots; ++a) order.atom_of_slot[a] = a < n ? a : -1;
  if (n > 0) {
    Sorter(positions, has_lennard_jones)
        .sort(std::span(order.atom_of_slot).first(static_cast<std::size_t>(n)));
  }
  for (std::int32_t slot = 0; slot < n; ++slot) order.slot_of_atom[order.atom_of_slot[slot]] = slot;
}

template <class Real>
void pack_positions(std::span<const Vec3> positions, const ClusterOrder& order, const Vec3& centre,
                    Real* out) noexcept {
  for (int cluster = 0; cluster < order.clusters(); ++cluster) {
    for (int lane = 0; lane < cluster_size; ++lane) {
      const std::int32_t atom = order.atom_of_slot[cluster * cluster_size + lane];
      Real* const to = out + cluster * 3 * cluster_size + lane;
      if (atom >= 0) {
        const Vec3 r = positions[atom] - centre;
        to[0] = static_cast<Real>(r.x);
        to[cluster_size] = static_cast<Real>(r.y);
        to[2 * cluster_size] = static_cast<Real>(r.z);
      } else {
        for (int axis = 0; axis < 3; ++axis)
          to[axis * cluster_size] = static_cast<Real>(padding_position(lane, centre[axis]));
      }
    }
  }
}

template void pack_positions(std::span<const Vec3>, const ClusterOrder&, const Vec3&,
                             float*) noexcept;
template void pack_positions(std::span<const Vec3>, const ClusterOrder&, const Vec3&,
                             double*) noexcept;

}  // namespace fg
