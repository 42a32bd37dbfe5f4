// SPDX-License-Identifier: BSD-3-Clause
//
// The pair forces between a home patch and some of its partners (and within the home patch), or
// those of a midpoint cell. This is the arithmetic of one pair compute, without the messages. All
// partners are copied into one frame. So an atom of the home patch meets the atoms of all partners
// in one sweep. The more partners an object has, the less is copied. The half shell may be divided
// over objects in any way.
//
// Use: call set_partners at a rebuild. Then in each step call lay_out, set_positions for each
// partner, and forces() or energies(). On a rebuild step call build_list() before forces() or
// energies(). On a prune step call use_outer_list() before set_positions, and prune() after it.
// Units: Hartree atomic units.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "forces/pair/pair_kernel.hpp"
#include "forces/pair/pair_settings.hpp"
#include "particles/add_fixed.hpp"
#include "particles/listed_pairs.hpp"
#include "particles/neighbourhood.hpp"
#include "particles/pair_list.hpp"
#include "particles/patch_block.hpp"

namespace fg {

template <class Real>
class PairWork {
 public:
  /// `kernel` is shared by all computes of a process, and is made for the same settings.
  PairWork(const PairSettings& settings, std::shared_ptr<const PairKernel<Real>> kernel);

  /// partners[0] is the home patch, and its shift is zero. Pairs of the other partners with the
  /// home patch are computed, and with `within_home` also those inside the home patch. Blocks must
  /// live until build_list(), their charges and parameters until the next call.
  void set_partners(std::span<const Partner<Real>> partners, bool within_home);

  /// The memory for all that follows, up to add_forces; many may use the same, one after the
  /// other.
  void lay_out(AlignedVector<Real>& data) { neighbourhood_.lay_out(data); }

  /// Sets the coordinates of a partner, Real [clusters][3][8] relative to its own centre, and sets
  /// its forces to zero. May be called in any order, once per partner and step.
  void set_positions(int partner, const Real* positions) noexcept {
    neighbourhood_.set_positions(partner, positions);
  }

  /// Whether the list in use touches a partner. Others need no positions, and get no forces.
  bool uses(int partner) const noexcept { return neighbourhood_.uses(partner); }

  /// Makes the outer list and the inner one from the present positions. Needed after set_partners.
  void build_list();
  /// The same, of all pairs between any partners whose midpoint is in a cell. `sides`: by partner.
  /// `widths`: between opposite faces of a patch [bohr].
  void build_list_of_midpoints(const MidpointCell& cell, std::span<const MidpointSide> sides,
                               const Vec3& widths);
  /// From now on set_positions copies all clusters of the outer list, as prune() needs them.
  void use_outer_list() noexcept { neighbourhood_.use_only(outer_quads_); }
  /// Makes the inner list from the outer one. From now on set_positions copies only its clusters.
  void prune();

  /// The pairs of atoms within the radius of the inner list; right after build_list() or prune().
  std::int64_t listed_pairs() const noexcept {
    return fg::listed_pairs(neighbourhood_, inner_, inner_list_cutoff_);
  }
  /// The atoms of all partners.
  std::int64_t atoms() const noexcept;

  /// Adds to the forces, which set_positions has set to zero; call it once a step.
  void forces() noexcept { kernel_->forces(inner_, neighbourhood_.data()); }
  /// The same forces, with energies and virial.
  PairEnergies energies() noexcept;
  /// The virial of the forces; after either of these two.
  Virial virial() const noexcept;

  /// The clusters of a partner that the inner list touches, ascending; they stay the same until the
  /// next list. The forces on other clusters are zero.
  std::span<const std::int32_t> touched(int partner) const noexcept {
    return {touched_.data() + touched_start_[partner],
            touched_.data() + touched_start_[partner + 1]};
  }
  /// Adds the forces on the touched clusters of a partner to the sums of its patch, int64
  /// [clusters][3][8] by force_scale. Returns the slot of a force that does not fit, or -1.
  [[nodiscard]] int add_forces(int partner, std::int64_t* sums) const noexcept {
    const auto first = static_cast<std::size_t>(neighbourhood_.first_quad(partner));
    return add_fixed_quads(sums, neighbourhood_.data() + first * quad::stride, touched(partner));
  }

  /// The content of the lists, for tests, traces and tuning.
  const PairList& outer_list() const noexcept { return outer_; }
  const PairList& inner_list() const noexcept { return inner_; }
  const Neighbourhood<Real>& neighbourhood() const noexcept { return neighbourhood_; }

 private:
  void use_new_list();

  std::shared_ptr<const PairKernel<Real>> kernel_;
  double list_cutoff_;
  double inner_list_cutoff_;
  Neighbourhood<Real> neighbourhood_;
  PairListBuilder<Real> builder_;
  bool within_home_ = true;
  PairList outer_;
  PairList inner_;
  std::vector<std::uint8_t> outer_quads_, inner_quads_;  // 1 where a list touches the quad
  std::vector<std::int32_t> touched_;        // all partners' clusters, one after the other
  std::vector<std::int32_t> touched_start_;  // [partners + 1]
};

}  // namespace fg
