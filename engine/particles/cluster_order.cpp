// SPDX-License-Identifier: BSD-3-Clause
#include "particles/cluster_order.hpp"

#include <algorithm>

namespace fg {
namespace {

class Bisector {
 public:
  Bisector(std::span<const Vec3> positions, std::span<const std::uint8_t> has_lennard_jones)
      : positions_(positions), has_lennard_jones_(has_lennard_jones) {}

  void sort(std::span<std::int32_t> atoms) const {
    const std::size_t n = atoms.size();
    if (n <= quad_size) {
      std::sort(atoms.begin(), atoms.end(), [this](std::int32_t a, std::int32_t b) {
        const bool lj_a = has_lennard_jones_[a] != 0, lj_b = has_lennard_jones_[b] != 0;
        return lj_a != lj_b ? lj_a : a < b;
      });
      return;
    }
    const std::size_t clusters = (n + cluster_size - 1) / cluster_size;
    const std::size_t cut = clusters > 1 ? (clusters + 1) / 2 * cluster_size : quad_size;
    const int axis = longest_axis(atoms);
    std::nth_element(atoms.begin(), atoms.begin() + cut, atoms.end(),
                     [this, axis](std::int32_t a, std::int32_t b) {
                       const double xa = positions_[a][axis], xb = positions_[b][axis];
                       return xa != xb ? xa < xb : a < b;
                     });
    sort(atoms.first(cut));
    sort(atoms.subspan(cut));
  }

 private:
  int longest_axis(std::span<const std::int32_t> atoms) const {
    Vec3 low = positions_[atoms[0]], high = low;
    for (const std::int32_t a : atoms) {
      for (int axis = 0; axis < 3; ++axis) {
        low[axis] = std::min(low[axis], positions_[a][axis]);
        high[axis] = std::max(high[axis], positions_[a][axis]);
      }
    }
    const Vec3 extent = high - low;
    if (extent.x >= extent.y && extent.x >= extent.z) return 0;
    return extent.y >= extent.z ? 1 : 2;
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
    Bisector(positions, has_lennard_jones)
        .sort(std::span(order.atom_of_slot).first(static_cast<std::size_t>(n)));
  }
  for (std::int32_t slot = 0; slot < n; ++slot) order.slot_of_atom[order.atom_of_slot[slot]] = slot;
}

template <class Real>
void pack_positions(std::span<const Vec3> positions, const ClusterOrder& order, const Vec3& centre,
                    Real* out) noexcept {
  // Far from everything, and each padding lane far from the next, so that no list and no overlap
  // test ever meets them; small enough for their squares.
  constexpr double far = 1e6, apart = 1e3;
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
          to[axis * cluster_size] = static_cast<Real>(far + apart * lane);
      }
    }
  }
}

template void pack_positions(std::span<const Vec3>, const ClusterOrder&, const Vec3&,
                             float*) noexcept;
template void pack_positions(std::span<const Vec3>, const ClusterOrder&, const Vec3&,
                             double*) noexcept;

}  // namespace fg
