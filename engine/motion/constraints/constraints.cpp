// SPDX-License-Identifier: BSD-3-Clause
#include "motion/constraints/constraints.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/round_up.hpp"

namespace fg {

namespace {

ConstAxes constant(const Axes& a) noexcept {
  return {a[0], a[1], a[2]};
}

double relative_error(const ConstAxes& p, std::int64_t a, std::int64_t b,
                      double distance) noexcept {
  const Vec3 d{p[0][b] - p[0][a], p[1][b] - p[1][a], p[2][b] - p[2][a]};
  return std::abs(norm(d) - distance) / distance;
}

}  // namespace

PatchConstraints::PatchConstraints(const WaterGeometry& water, double tolerance) noexcept
    : triangle_(water), water_(water), tolerance_(tolerance) {}

void PatchConstraints::clear(const MotionLayout& layout) {
  layout_ = layout;
  count_ = 3 * layout.waters;
  for (StarList& list : stars_) list.clear();
  general_.clear();
}

void PatchConstraints::add(const FragmentTable& table, int fragment, int first_slot) {
  const auto bonds = table.constraints(fragment);
  const FragmentKind kind = table.kind(fragment);
  FG_CHECK(kind != FragmentKind::water);
  count_ += static_cast<int>(bonds.size());
  if (kind == FragmentKind::star) {
    StarList& list = stars_[bonds.size() - 1];
    ++list.stars;
    list.centre.push_back(first_slot);
    for (std::size_t k = 0; k < bonds.size(); ++k) {
      list.leaf[k].push_back(first_slot + bonds[k].b);
      list.distance2[k].push_back(bonds[k].distance * bonds[k].distance);
    }
  } else if (kind == FragmentKind::general) {
    for (const FragmentConstraint& bond : bonds)
      general_.bonds.push_back(
          {first_slot + bond.a, first_slot + bond.b, bond.distance * bond.distance, 0, 0});
    general_.first.push_back(static_cast<std::int32_t>(general_.bonds.size()));
  }
}

void PatchConstraints::finish(const MovingAtoms& atoms) {
  const double* inverse_mass = atoms.inverse_mass();
  for (int leaves = 1; leaves <= max_star_leaves; ++leaves) {
    StarList& list = stars_[leaves - 1];
    if (list.stars == 0) continue;
    list.padded = round_up(list.stars, MotionLayout::slot_multiple);
    list.centre.resize(list.padded, list.centre.back());
    list.centre_inverse_mass.resize(list.padded);
    for (int i = 0; i < list.padded; ++i)
      list.centre_inverse_mass[i] = inverse_mass[list.centre[i]];
    for (int k = 0; k < leaves; ++k) {
      list.leaf[k].resize(list.padded, list.leaf[k].back());
      list.distance2[k].resize(list.padded, list.distance2[k].back());
      list.leaf_inverse_mass[k].resize(list.padded);
      for (int i = 0; i < list.padded; ++i)
        list.leaf_inverse_mass[k][i] = inverse_mass[list.leaf[k][i]];
    }
  }
  for (ShakeBond& bond : general_.bonds) {
    bond.inverse_mass_a = inverse_mass[bond.a];
    bond.inverse_mass_b = inverse_mass[bond.b];
  }
}

ConstraintStatus PatchConstraints::apply_to_positions(MovingAtoms& atoms,
                                                      double inverse_timestep) const noexcept {
  const ConstAxes previous = constant(atoms.previous());
  const Axes position = atoms.position(), velocity = atoms.velocity();
  ConstraintStatus status;
  const int stride = layout_.water_stride();
  const int water =
      settle_positions(triangle_, {stride, stride}, previous, position, velocity, inverse_timestep);
  if (water >= 0) status.failed_slot = water;
  for (int leaves = 1; leaves <= max_star_leaves; ++leaves) {
    const StarList& list = stars_[leaves - 1];
    const int star =
        shake_stars(leaves, list, tolerance_, previous, position, velocity, inverse_timestep);
    if (star >= 0 && status.ok()) status.failed_slot = static_cast<int>(list.centre[star]);
  }
  const int cluster =
      shake_clusters(general_, tolerance_, previous, position, velocity, inverse_timestep);
  if (cluster >= 0 && status.ok()) status.failed_slot = general_.bonds[general_.first[cluster]].a;
  return status;
}

ConstraintStatus PatchConstraints::apply_to_velocities(MovingAtoms& atoms) const noexcept {
  const ConstAxes position = constant(atoms.position());
  const Axes velocity = atoms.velocity();
  const int stride = layout_.water_stride();
  settle_velocities(triangle_, {stride, stride}, position, velocity);
  for (int leaves = 1; leaves <= max_star_leaves; ++leaves)
    rattle_stars(leaves, stars_[leaves - 1], position, velocity);
  const int cluster = rattle_clusters(general_, tolerance_, position, velocity);
  ConstraintStatus status;
  if (cluster >= 0) status.failed_slot = general_.bonds[general_.first[cluster]].a;
  return status;
}

double PatchConstraints::worst_error(const MovingAtoms& atoms) const noexcept {
  const ConstAxes p = atoms.position();
  double worst = 0;
  for (int w = 0; w < layout_.waters; ++w) {
    const int o = layout_.water_slot(w, 0), a = layout_.water_slot(w, 1),
              b = layout_.water_slot(w, 2);
    worst = std::max({worst, relative_error(p, o, a, water_.r_oh),
                      relative_error(p, o, b, water_.r_oh), relative_error(p, a, b, water_.r_hh)});
  }
  for (int leaves = 1; leaves <= max_star_leaves; ++leaves) {
    const StarList& list = stars_[leaves - 1];
    for (int k = 0; k < leaves; ++k)
      for (int i = 0; i < list.stars; ++i)
        worst = std::max(worst, relative_error(p, list.centre[i], list.leaf[k][i],
                                               std::sqrt(list.distance2[k][i])));
  }
  for (const ShakeBond& bond : general_.bonds)
    worst = std::max(worst, relative_error(p, bond.a, bond.b, std::sqrt(bond.distance2)));
  return worst;
}

}  // namespace fg
