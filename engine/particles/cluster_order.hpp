// SPDX-License-Identifier: BSD-3-Clause
//
// The order in which a patch keeps its atoms, so that neighbours in memory are neighbours in space.
// Atoms are in groups of eight and, within them, of four: slabs, then columns, then groups of four
// along the column. Within a group of four, atoms with a Lennard-Jones term come first. A pure
// function of its input; equal coordinates keep the order of the input.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"

namespace fg {

inline constexpr int cluster_size = 8;  // unit of storage and of messages
inline constexpr int quad_size = 4;     // unit of pair lists: half a cluster
/// Numbers of a cluster's forces or positions: three components of eight atoms.
inline constexpr int cluster_numbers = 3 * cluster_size;
/// Where x of a slot is in numbers [clusters][3][8]; y and z follow cluster_size apart.
constexpr int number_of_slot(int slot) noexcept {
  return slot / cluster_size * cluster_numbers + slot % cluster_size;
}

/// Slots in cluster order; a slot holds the input's index of an atom, or -1 for padding.
/// Padding fills the last cluster only.
struct ClusterOrder {
  std::vector<std::int32_t> atom_of_slot;  // [clusters * 8]
  std::vector<std::int32_t> slot_of_atom;  // [atoms]

  int atoms() const noexcept { return static_cast<int>(slot_of_atom.size()); }
  int clusters() const noexcept { return static_cast<int>(atom_of_slot.size()) / cluster_size; }
};

/// `has_lennard_jones[atom]` is nonzero if epsilon is. Reuses the storage of `order`.
void make_cluster_order(std::span<const Vec3> positions,
                        std::span<const std::uint8_t> has_lennard_jones, ClusterOrder& order);

/// The coordinate of a padding lane along an axis, for a patch with this centre. It is far from all
/// atoms, from the other lanes, and from the same lane of other patches, also if these are thin and
/// next to each other. So no list and no overlap test finds it. Its square does not overflow.
constexpr double padding_position(int lane, double centre) noexcept {
  return 1e6 + 1e3 * lane + 1e5 * centre;
}

/// Positions relative to `centre` in cluster order, Real [clusters][3][8]: the payload of a
/// PositionsMessage. The plain twin of ClusterSlots::pack_positions.
template <class Real>
void pack_positions(std::span<const Vec3> positions, const ClusterOrder& order, const Vec3& centre,
                    Real* out) noexcept;

}  // namespace fg
