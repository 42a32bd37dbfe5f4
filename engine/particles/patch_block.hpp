// SPDX-License-Identifier: BSD-3-Clause
//
// What the partners of a patch must know about its atoms and what does not change between two
// rebuilds: parameters in cluster order, global ids, and who is excluded from whom.
// Units: bohr, hartree, elementary charges.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "particles/cluster_order.hpp"

namespace fg {

/// Parameters of all atoms of the job, by global id.
struct AtomParameters {
  std::vector<double> charge;
  std::vector<double> sigma;
  std::vector<double> epsilon;
};

/// For every global id the ids it does not meet in the pair kernel: sorted, symmetric, without
/// itself.
struct ExclusionTable {
  std::vector<std::int32_t> start;  // [atoms + 1]
  std::vector<std::int32_t> ids;

  std::span<const std::int32_t> of(std::int32_t id) const noexcept {
    return {ids.data() + start[id], ids.data() + start[id + 1]};
  }
};

/// From pairs in any order; pairs that are there twice count once.
ExclusionTable make_exclusion_table(int atoms, std::span<const std::array<std::int32_t, 2>> pairs);

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
  std::vector<Real> half_sigma;    // sigma_ij = half_sigma_i + half_sigma_j
  std::vector<Real> root_epsilon;  // 2 sqrt(epsilon): the product of two is 4 epsilon_ij
  std::vector<IdSlot> by_id;       // [atoms] sorted by id
  std::vector<SlotPair> inner_exclusions;  // both atoms in this patch, a < b
  std::vector<IdSlot> outer_exclusions;  // an atom elsewhere (id), of one here (slot); sorted by id
};

/// The same, wherever it lies: in a PatchBlock, or in a message that was written by `pack`.
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
  /// Whether it is one and the same patch.
  bool is(const PatchBlockView& other) const noexcept { return id.data() == other.id.data(); }
};

/// How long the lists of a packed block are; its reader has to know.
struct PatchBlockExtent {
  std::int32_t clusters, atoms, inner_exclusions, outer_exclusions;
};
template <class Real>
PatchBlockExtent extent_of(const PatchBlock<Real>& block) noexcept;
/// A packed block begins at a multiple of eight bytes and takes a multiple of them.
template <class Real>
std::size_t packed_bytes(const PatchBlockExtent& extent) noexcept;
template <class Real>
void pack(const PatchBlock<Real>& block, std::byte* to) noexcept;
template <class Real>
PatchBlockView<Real> unpack(const PatchBlockExtent& extent, const std::byte* from) noexcept;

/// `ids[atom]` is the global id of the atom that `order` numbers so. Reuses the storage of `block`.
template <class Real>
void make_patch_block(std::span<const std::int32_t> ids, const ClusterOrder& order,
                      const AtomParameters& parameters, const ExclusionTable& exclusions,
                      PatchBlock<Real>& block);

}  // namespace fg
