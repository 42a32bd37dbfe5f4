// SPDX-License-Identifier: BSD-3-Clause
//
// The data about a patch's atoms that its partners need: parameters in cluster order, global ids,
// and exclusions. They do not change between two rebuilds. Units: bohr, hartree, elementary
// charges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "particles/atom_parameters.hpp"
#include "particles/cluster_order.hpp"

namespace fg {

/// For every global id the ids that the pair kernel must leave out: sorted, symmetric, without the
/// id itself.
struct ExclusionTable {
  std::vector<std::int32_t> start;  // [atoms of a copy + 1]
  std::vector<std::int32_t> ids;    // within a copy
  std::vector<Int3> cells;          // of these, from that of the atom; empty: the same
  Copies copies = {};

  /// `room` is used where the ids have to be found for a copy.
  std::span<const std::int32_t> of(std::int32_t id, std::vector<std::int32_t>& room) const {
    const int atom = copies.within(id);
    const auto first = static_cast<std::size_t>(start[atom]);
    const auto end = static_cast<std::size_t>(start[atom + 1]);
    if (!copies.several()) return {ids.data() + first, end - first};
    return of_copy(id, first, end, room);
  }
  bool holds(std::int32_t one, std::int32_t other) const noexcept;

 private:
  std::span<const std::int32_t> of_copy(std::int32_t id, std::size_t first, std::size_t end,
                                        std::vector<std::int32_t>& room) const;
};

/// Where the atoms of a cell are that is repeated.
struct RepeatedCell {
  Copies copies;
  Box cell;
  std::span<const Vec3> positions;  // of one copy
};

/// Made from pairs in any order; repeated pairs count once. Pairs that are in `far` too are entered
/// twice. This tells the pair list that the kernel has nothing to do with them. With copies, these
/// are the atoms and pairs of one copy. The second atom of a pair is that of the nearest image.
ExclusionTable make_exclusion_table(int atoms, std::span<const std::array<std::int32_t, 2>> pairs,
                                    std::span<const std::array<std::int32_t, 2>> far = {},
                                    const RepeatedCell& repeated = {});

struct IdSlot {
  std::int32_t id;
  std::int32_t slot;
};
struct SlotPair {
  std::int32_t a;
  std::int32_t b;
};

template <class Real>
struct PatchBlock {
  std::int32_t atoms = 0;
  std::int32_t clusters = 0;
  std::vector<std::int32_t> id;    // [clusters * 8], -1 where there is no atom
  std::vector<Real> charge;        // [clusters * 8], 0 where there is no atom, as the next two
  std::vector<Real> half_sigma;    // sigma_ij = half_sigma_i + half_sigma_j; or the type
  std::vector<Real> root_epsilon;  // 2 sqrt(epsilon): the product of two is 4 epsilon_ij; with
                                   // types 1 if the atom has a Lennard-Jones energy, else 0
  std::vector<IdSlot> by_id;       // [atoms] sorted by id
  std::vector<SlotPair> inner_exclusions;  // both atoms in this patch, a < b
  // one atom in another patch (id), one in this patch (slot); sorted by id
  std::vector<IdSlot> outer_exclusions;
};

/// The same data at any address: in a PatchBlock, or in a message written by `pack`.
template <class Real>
struct PatchBlockView {
  std::span<const std::int32_t> id;
  std::span<const Real> charge, half_sigma, root_epsilon;
  std::span<const IdSlot> by_id;
  std::span<const SlotPair> inner_exclusions;
  std::span<const IdSlot> outer_exclusions;

  PatchBlockView() = default;
  PatchBlockView(const PatchBlock<Real>& block) noexcept
      : id(block.id),
        charge(block.charge),
        half_sigma(block.half_sigma),
        root_epsilon(block.root_epsilon),
        by_id(block.by_id),
        inner_exclusions(block.inner_exclusions),
        outer_exclusions(block.outer_exclusions) {}

  int clusters() const noexcept { return static_cast<int>(id.size()) / cluster_size; }
  /// Whether both views are of the same patch.
  bool is(const PatchBlockView& other) const noexcept { return id.data() == other.id.data(); }
};

/// The lengths of the lists in a packed block; needed to read it.
struct PatchBlockExtent {
  std::int32_t clusters, atoms, inner_exclusions, outer_exclusions;
};
template <class Real>
PatchBlockExtent extent_of(const PatchBlock<Real>& block) noexcept;
/// A packed block begins at a multiple of eight bytes, and its size is a multiple of eight.
template <class Real>
std::size_t packed_bytes(const PatchBlockExtent& extent) noexcept;
template <class Real>
void pack(const PatchBlock<Real>& block, std::byte* to) noexcept;
template <class Real>
PatchBlockView<Real> unpack(const PatchBlockExtent& extent, const std::byte* from) noexcept;

/// `ids[atom]` is the global id of atom number `atom` in `order`. Reuses the storage of `block`.
template <class Real>
void make_patch_block(std::span<const std::int32_t> ids, const ClusterOrder& order,
                      const AtomParameters& parameters, const ExclusionTable& exclusions,
                      PatchBlock<Real>& block);

}  // namespace fg
