// SPDX-License-Identifier: BSD-3-Clause
//
// The virtual sites of one patch. A site is a slot without an atom (see moving_atoms.hpp). Only its
// parents move it. They are in the same fragment and so in the same patch. Units: Hartree atomic
// units.
#pragma once

#include <array>
#include <vector>

#include "base/virial.hpp"
#include "motion/atoms/moving_atoms.hpp"
#include "motion/virtual_site_kinds.hpp"
#include "particles/virtual_site.hpp"

namespace fg {

/// The slots of a site and its parents; those beyond its number of parents are not read.
struct SiteSlots {
  int site = 0;
  std::array<int, max_site_parents> parents{};
};

class VirtualSites {
 public:
  void clear() noexcept;
  void add(const VirtualSite& site, const SiteSlots& slots);

  /// Puts every site where its parents say.
  void place(MovingAtoms& atoms) const noexcept;

  /// Moves the forces on sites to their parents. The forces on the sites become zero. Returns what
  /// this changes in the virial, the sum of r f: xx, yy, zz, xy, xz, yz. It changes because the
  /// places of sites out of a plane or in a frame do not scale with those of their parents.
  Virial share_forces(MovingAtoms& atoms) const noexcept;

 private:
  template <class Kind>
  struct Placed {
    SiteSlots slots;
    Kind kind;
  };

  std::vector<Placed<AverageSite>> averages_;
  std::vector<Placed<OutOfPlaneSite>> out_of_plane_;
  std::vector<Placed<LocalFrameSite>> in_frames_;
};

}  // namespace fg
