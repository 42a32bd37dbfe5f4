// SPDX-License-Identifier: BSD-3-Clause
//
// Places of virtual sites of every kind, and the forces that their parents get, against OpenMM's
// Reference platform.
#include "motion/virtual_sites.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>

namespace fg::test {
namespace {

#include "openmm_virtual_sites.inc"

constexpr int parent_count = std::size(parents), site_count = std::size(sites);

Vec3 vector(const double (&numbers)[3]) {
  return {numbers[0], numbers[1], numbers[2]};
}

VirtualSite engine_site(const Described& from) {
  VirtualSite site{.kind = static_cast<SiteKind>(from.kind), .offset = vector(from.offset)};
  std::copy(std::begin(from.parents), std::end(from.parents), site.parents.begin());
  // OpenMM's lists end with the parents; here a weight of zero stands for none.
  std::copy(std::begin(from.weights), std::end(from.weights), site.weights.begin());
  std::copy(std::begin(from.x_weights), std::end(from.x_weights), site.x_weights.begin());
  std::copy(std::begin(from.y_weights), std::end(from.y_weights), site.y_weights.begin());
  return site;
}

TEST(VirtualSitesReference, PlacesAndForcesAreThoseOfOpenMM) {
  const MotionLayout layout{.others = parent_count, .sites = site_count};
  MovingAtoms atoms;
  atoms.reset(layout, {});
  for (int i = 0; i < parent_count; ++i)
    atoms.place(layout.other_slot(i), i, 12.0, vector(parents[i]), {});
  VirtualSites all;
  for (int i = 0; i < site_count; ++i) {
    const VirtualSite site = engine_site(sites[i]);
    const int slot = layout.site_slot(i);
    SiteSlots slots{.site = slot};
    for (int k = 0; k < site.parent_count(); ++k)
      slots.parents[k] = layout.other_slot(site.parents[k]);
    atoms.place_site(slot, {});
    atoms.set_force(slot, vector(forces_on_sites[i]));
    all.add(site, slots);
  }
  all.place(atoms);
  // The weights of OpenMM's OutOfPlaneSite and ours are the same but for the last digit of a
  // double.
  for (int i = 0; i < site_count; ++i)
    EXPECT_LT(norm(atoms.position_of(layout.site_slot(i)) - vector(places[i])), 1e-15) << i;
  static_cast<void>(all.share_forces(atoms));
  for (int i = 0; i < parent_count; ++i)
    EXPECT_LT(norm(atoms.force_of(layout.other_slot(i)) - vector(forces_on_parents[i])), 1e-13)
        << i;
}

}  // namespace
}  // namespace fg::test
