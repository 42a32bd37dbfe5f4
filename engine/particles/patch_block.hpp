// SPDX-License-Identifier: BSD-3-Clause
//
// What the partners of a patch must know about its atoms and what does not change between two
// rebuilds: parameters in cluster order, global ids, and who is excluded from whom.
// A patch publishes one as a shared, constant object.
// Units: bohr, hartree, elementary charges.
#pragma once

#include <array>
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

template <class Real>
struct PatchBlock {
  struct IdSlot {
    std::int32_t id;
    std::int32_t slot;
  };
  struct SlotPair {
    std::int32_t a;
    std::int32_t b;
  };

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

/// `ids[atom]` is the global id of the atom that `order` numbers so. Reuses the storage of `block`.
template <class Real>
void make_patch_block(std::span<const std::int32_t> ids, const ClusterOrder& order,
                      const AtomParameters& parameters, const ExclusionTable& exclusions,
                      PatchBlock<Real>& block);

}  // namespace fg
