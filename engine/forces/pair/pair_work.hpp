// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces between a home patch and some of its partners (and within the home patch): the
// arithmetic of one pair compute, without the messages. All partners are copied into one frame, so
// that an atom of the home patch meets all its partners' atoms in one sweep; the more partners one
// object has, the less it copies. Any split of the half shell over objects is allowed.
// Use: set_partners at a rebuild; then each step set_positions of each partner and forces() or
// energies(), before which come build_list() on a rebuild step and prune() on a prune step.
// Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "forces/pair/pair_kernel.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/neighbourhood.hpp"
#include "particles/pair_list.hpp"
#include "particles/patch_block.hpp"

namespace fg {

template <class Real>
class PairWork {
 public:
  explicit PairWork(const PairSettings& settings);

  /// partners[0] is the home patch and its shift is zero; the others' pairs with it are computed,
  /// and with `within_home` those of the home patch itself. Blocks must live until build_list().
  void set_partners(std::span<const Partner<Real>> partners, bool within_home);

  /// Coordinates of a partner, Real [clusters][3][8] relative to its own centre. Sets its forces to
  /// zero too. May be called as they arrive, in any order, once a step.
  void set_positions(int partner, const Real* positions) noexcept {
    neighbourhood_.set_positions(partner, positions);
  }

  /// The outer list (and with it the inner one), from the positions set. Needed after set_partners.
  void build_list();
  /// The inner list, out of the outer one.
  void prune();

  /// Adds to the forces that set_positions set to zero: once a step.
  void forces() noexcept { kernel_.forces(inner_, neighbourhood_.data()); }
  /// The same forces, and energies and virial besides.
  PairEnergies energies() noexcept;

  /// The clusters of a partner that the outer list touches, ascending: the same until the next
  /// build_list(). The others' forces are zero.
  std::span<const std::int32_t> touched(int partner) const noexcept {
    return {touched_.data() + touched_start_[partner],
            touched_.data() + touched_start_[partner + 1]};
  }
  /// The forces on the touched clusters of a partner, in that order: Real [touched][3][8].
  void copy_forces(int partner, Real* out) const noexcept;

  /// What the lists hold, for tests, traces and tuning.
  const PairList& outer_list() const noexcept { return outer_; }
  const PairList& inner_list() const noexcept { return inner_; }
  const Neighbourhood<Real>& neighbourhood() const noexcept { return neighbourhood_; }

 private:
  PairKernel<Real> kernel_;
  double list_cutoff_;
  double inner_list_cutoff_;
  Neighbourhood<Real> neighbourhood_;
  PairListBuilder<Real> builder_;
  bool within_home_ = true;
  PairList outer_;
  PairList inner_;
  std::vector<std::uint8_t> touched_quads_;
  std::vector<std::int32_t> touched_;        // all partners' clusters, one after the other
  std::vector<std::int32_t> touched_start_;  // [partners + 1]
};

}  // namespace fg
