// SPDX-License-Identifier: BSD-3-Clause
//
// Virtual sites against a plain reference: the formulas as they are usually written, with
// derivatives by differences.
// Units: Hartree atomic units.
#include "motion/virtual_sites.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "support/classical/moving_systems.hpp"

namespace fg::test {
namespace {

using Weights = std::array<double, max_site_parents>;
using Points = std::vector<Vec3>;

Vec3 weighted(const Weights& weights, const Points& parents) {
  Vec3 sum;
  for (std::size_t k = 0; k < parents.size(); ++k) sum += weights[k] * parents[k];
  return sum;
}

Vec3 unit(const Vec3& v) {
  return v * (1 / norm(v));
}

/// The place of a site, of all its parents' positions.
Vec3 place_reference(const VirtualSite& site, const Points& p) {
  const Vec3 origin = weighted(site.weights, p);
  if (site.kind == SiteKind::out_of_plane)
    return origin + site.offset.z * cross(p[1] - p[0], p[2] - p[0]);
  if (site.kind == SiteKind::average) return origin;
  const Vec3 x = unit(weighted(site.x_weights, p));
  const Vec3 along = origin + site.offset.x * x;
  if (site.offset.y == 0 && site.offset.z == 0) return along;  // there may be no plane
  const Vec3 z = unit(cross(x, weighted(site.y_weights, p)));
  return along + site.offset.y * cross(z, x) + site.offset.z * z;
}

/// The force on one parent: the derivative of force times place, by central differences.
Vec3 share_reference(const VirtualSite& site, Points parents, std::size_t parent,
                     const Vec3& force) {
  constexpr double step = 1e-5;
  Vec3 share;
  for (int axis = 0; axis < 3; ++axis) {
    const double at = parents[parent][axis];
    parents[parent][axis] = at + step;
    const double up = dot(force, place_reference(site, parents));
    parents[parent][axis] = at - step;
    const double down = dot(force, place_reference(site, parents));
    parents[parent][axis] = at;
    share[axis] = (up - down) / (2 * step);
  }
  return share;
}

/// Sites of all kinds and numbers of parents.
std::vector<std::pair<std::string, VirtualSite>> samples() {
  const auto site = [](SiteKind kind, int parents, Weights weights, Weights x = {}, Weights y = {},
                       Vec3 offset = {}) {
    VirtualSite made{.kind = kind, .weights = weights, .x_weights = x, .y_weights = y};
    made.offset = offset;
    for (int k = 0; k < parents; ++k) made.parents[k] = k;
    return made;
  };
  return {
      {"two", site(SiteKind::average, 2, {0.3, 0.7})},
      {"TIP4P-Ew", site(SiteKind::average, 3, {0.786646558, 0.106676721, 0.106676721})},
      {"four", site(SiteKind::average, 4, {0.4, 0.9, -0.5, 0.2})},
      {"TIP5P",
       site(SiteKind::out_of_plane, 3, {1.344908, -0.172454, -0.172454}, {}, {}, {0, 0, -0.341})},
      {"lone pair",
       site(SiteKind::local_frame, 3, {1, 0, 0}, {-1, 0.5, 0.5}, {0, -1, 1}, {-0.4, 0.6, 0.9})},
      {"halogen", site(SiteKind::local_frame, 3, {1, 0, 0}, {1, -1, 0}, {0, -1, 1}, {1.2, 0, 0})},
      {"four in a frame", site(SiteKind::local_frame, 4, {0.4, 0.3, 0.2, 0.1},
                               {-1, 0.5, 0.25, 0.25}, {-0.5, -0.5, 1, 0}, {0.2, -0.4, 0.6})},
      {"two in a line", site(SiteKind::local_frame, 2, {1, 0}, {-1, 1}, {-1, 1}, {0.7, 0, 0})},
  };
}

/// One patch with molecules of four atoms, each the parents of one site of each sample.
struct Molecules {
  explicit Molecules(int count, std::uint64_t seed) {
    const auto sites = static_cast<int>(samples().size());
    const MotionLayout layout{.others = 4 * count, .sites = sites * count};
    atoms.reset(layout, {});
    std::mt19937_64 random(seed);
    int site = 0;
    for (int m = 0; m < count; ++m) {
      const Vec3 centre = random_vector(random, 50.0);
      Points corners;
      // A bent frame with some noise: no three parents are near a line.
      for (const Vec3& corner : {Vec3{0, 0, 0}, {2, 0.5, 0}, {-0.5, 1.8, 0}, {0.3, -0.4, 2}})
        corners.push_back(centre + corner + random_vector(random, 0.3));
      for (int k = 0; k < 4; ++k)
        atoms.place(layout.other_slot(4 * m + k), 4 * m + k, 1.0, corners[k], {});
      parents.push_back(corners);
      for (const auto& [name, sample] : samples()) {
        SiteSlots slots{.site = layout.site_slot(site++)};
        for (int k = 0; k < sample.parent_count(); ++k)
          slots.parents[k] = layout.other_slot(4 * m + k);
        atoms.place_site(slots.site, random_vector(random, 50.0));
        all.add(sample, slots);
      }
    }
  }

  MovingAtoms atoms;
  VirtualSites all;
  std::vector<Points> parents;  // by molecule
};

Points of(const VirtualSite& site, const Points& corners) {
  return {corners.begin(), corners.begin() + site.parent_count()};
}

class VirtualSitesIn : public testing::TestWithParam<int> {};

TEST_P(VirtualSitesIn, AreWhereTheFormulasSay) {
  Molecules molecules(GetParam(), 3);
  molecules.all.place(molecules.atoms);
  int site = 0;
  for (const Points& corners : molecules.parents)
    for (const auto& [name, sample] : samples()) {
      const int slot = molecules.atoms.layout().site_slot(site++);
      // Coordinates of about 50 bohr: a few roundings.
      EXPECT_LT(
          norm(molecules.atoms.position_of(slot) - place_reference(sample, of(sample, corners))),
          1e-13)
          << name;
    }
}

TEST_P(VirtualSitesIn, ShareTheirForcesAsTheDerivativesSay) {
  Molecules molecules(GetParam(), 4);
  MovingAtoms& atoms = molecules.atoms;
  const MotionLayout& layout = atoms.layout();
  molecules.all.place(atoms);
  std::mt19937_64 random(5);
  std::array<double, 6> expected_virial{};
  std::vector<Vec3> expected(4 * molecules.parents.size());
  int site = 0;
  for (std::size_t m = 0; m < molecules.parents.size(); ++m) {
    const Points& corners = molecules.parents[m];
    for (std::size_t k = 0; k < 4; ++k) {
      const Vec3 own = random_vector(random, 1.0);
      atoms.set_force(layout.other_slot(static_cast<int>(4 * m + k)), own);
      expected[4 * m + k] = own;
    }
    for (const auto& [name, sample] : samples()) {
      const int slot = layout.site_slot(site++);
      const Vec3 force = random_vector(random, 1.0), at = atoms.position_of(slot);
      atoms.set_force(slot, force);
      const Points parents = of(sample, corners);
      for (std::size_t k = 0; k < parents.size(); ++k) {
        const Vec3 share = share_reference(sample, parents, k, force);
        expected[4 * m + k] += share;
        const Vec3 r = parents[k] - at;
        const double terms[6] = {r.x * share.x, r.y * share.y, r.z * share.z,
                                 r.x * share.y, r.x * share.z, r.y * share.z};
        for (int c = 0; c < 6; ++c) expected_virial[c] += terms[c];
      }
    }
  }
  const auto virial = molecules.all.share_forces(atoms);
  // The error of a central difference with a step of 1e-5 is about 1e-10.
  for (std::size_t i = 0; i < expected.size(); ++i)
    EXPECT_LT(norm(atoms.force_of(layout.other_slot(static_cast<int>(i))) - expected[i]), 1e-8);
  for (int c = 0; c < 6; ++c) EXPECT_NEAR(virial[c], expected_virial[c], 1e-7 * GetParam());
  for (int i = 0; i < layout.sites; ++i) EXPECT_EQ(atoms.force_of(layout.site_slot(i)), Vec3{});
}

TEST_P(VirtualSitesIn, KeepForceAndTorque) {
  Molecules molecules(GetParam(), 6);
  MovingAtoms& atoms = molecules.atoms;
  molecules.all.place(atoms);
  std::mt19937_64 random(7);
  for (int i = 0; i < atoms.layout().sites; ++i)
    atoms.set_force(atoms.layout().site_slot(i), random_vector(random, 1.0));
  const auto sums = [&] {
    Vec3 force, torque;
    for (int slot = 0; slot < atoms.slots(); ++slot) {
      force += atoms.force_of(slot);
      torque += cross(atoms.position_of(slot), atoms.force_of(slot));
    }
    return std::pair(force, torque);
  };
  const auto before = sums();
  static_cast<void>(molecules.all.share_forces(atoms));
  const auto after = sums();
  EXPECT_LT(norm(after.first - before.first), 1e-12 * GetParam());
  EXPECT_LT(norm(after.second - before.second), 1e-10 * GetParam());
}

INSTANTIATE_TEST_SUITE_P(Molecules, VirtualSitesIn, testing::Values(1, 3, 17));

TEST(VirtualSites, DoNotMoveByThemselves) {
  Molecules molecules(2, 8);
  MovingAtoms& atoms = molecules.atoms;
  for (int i = 0; i < atoms.layout().sites; ++i) {
    const int slot = atoms.layout().site_slot(i);
    EXPECT_EQ(atoms.ids()[slot], -1);
    EXPECT_EQ(atoms.mass()[slot], 0);
    EXPECT_EQ(atoms.inverse_mass()[slot], 0);
    EXPECT_EQ(atoms.root_inverse_mass()[slot], 0);
    EXPECT_EQ(atoms.velocity_of(slot), Vec3{});
  }
}

TEST(VirtualSites, InALineWithoutAPlaneArePlacedAlongIt) {
  MovingAtoms atoms;
  atoms.reset({.others = 3, .sites = 1}, {});
  for (int k = 0; k < 3; ++k)
    atoms.place(atoms.layout().other_slot(k), k, 1.0, {1.0 * k, 0, 0}, {});
  VirtualSite site{.kind = SiteKind::local_frame, .parents = {0, 1, 2, -1}};
  site.weights = {1, 0, 0}, site.x_weights = {1, -1, 0}, site.y_weights = {0, -1, 1};
  site.offset = {0.5, 0, 0};
  const int slot = atoms.layout().site_slot(0);
  VirtualSites all;
  all.add(site, {.site = slot, .parents = {0, 1, 2}});
  all.place(atoms);
  EXPECT_EQ(atoms.position_of(slot), (Vec3{-0.5, 0, 0}));
  atoms.set_force(slot, {0, 1, 0});
  static_cast<void>(all.share_forces(atoms));
  // As for a rod: half of the length beyond its end.
  EXPECT_EQ(atoms.force_of(0), (Vec3{0, 1.5, 0}));
  EXPECT_EQ(atoms.force_of(1), (Vec3{0, -0.5, 0}));
}

}  // namespace
}  // namespace fg::test
