// SPDX-License-Identifier: BSD-3-Clause
#include "motion/virtual_sites.hpp"

namespace fg {

namespace {

Arms arms_of(const MovingAtoms& atoms, const SiteSlots& slots, const Vec3& first) noexcept {
  Arms arms;
  for (std::size_t k = 0; k < arms.size(); ++k)
    arms[k] = atoms.position_of(slots.parents[k + 1]) - first;
  return arms;
}

template <class Placed>
void place_each(const std::vector<Placed>& sites, MovingAtoms& atoms) noexcept {
  for (const auto& [slots, kind] : sites) {
    const Vec3 first = atoms.position_of(slots.parents[0]);
    atoms.set_position(slots.site, first + kind.place(arms_of(atoms, slots, first)));
  }
}

template <bool linear, class Placed>
void share_each(const std::vector<Placed>& sites, MovingAtoms& atoms, Virial& virial) noexcept {
  for (const auto& [slots, kind] : sites) {
    const Vec3 first = atoms.position_of(slots.parents[0]);
    const Arms arms = arms_of(atoms, slots, first);
    const Vec3 force = atoms.force_of(slots.site);
    const Arms shares = kind.shares(force, arms);
    Vec3 left = force;
    for (std::size_t k = 0; k < shares.size(); ++k) {
      const int parent = slots.parents[k + 1];
      atoms.set_force(parent, atoms.force_of(parent) + shares[k]);
      left -= shares[k];
      if constexpr (!linear) add_virial(virial, arms[k], shares[k]);
    }
    if constexpr (!linear) add_virial(virial, first - atoms.position_of(slots.site), force);
    atoms.set_force(slots.parents[0], atoms.force_of(slots.parents[0]) + left);
    atoms.set_force(slots.site, {});
  }
}

}  // namespace

void VirtualSites::clear() noexcept {
  averages_.clear();
  out_of_plane_.clear();
  in_frames_.clear();
}

void VirtualSites::add(const VirtualSite& site, const SiteSlots& slots) {
  // A parent that there is not is the first one again: an arm of no length, with no weight.
  SiteSlots all = slots;
  for (int k = site.parent_count(); k < max_site_parents; ++k) all.parents[k] = all.parents[0];
  switch (site.kind) {
    case SiteKind::average:
      averages_.push_back({all, AverageSite(site)});
      break;
    case SiteKind::out_of_plane:
      out_of_plane_.push_back({all, OutOfPlaneSite(site)});
      break;
    case SiteKind::local_frame:
      in_frames_.push_back({all, LocalFrameSite(site)});
      break;
  }
}

void VirtualSites::place(MovingAtoms& atoms) const noexcept {
  place_each(averages_, atoms);
  place_each(out_of_plane_, atoms);
  place_each(in_frames_, atoms);
}

Virial VirtualSites::share_forces(MovingAtoms& atoms) const noexcept {
  Virial virial{};
  share_each<true>(averages_, atoms, virial);
  share_each<false>(out_of_plane_, atoms, virial);
  share_each<false>(in_frames_, atoms, virial);
  return virial;
}

}  // namespace fg
