// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/motion/ion_constraints.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg {

namespace {

std::string ions_of(int a, int b) {
  return "ions " + std::to_string(a + 1) + " and " + std::to_string(b + 1);
}

void check(const IonDistance& one, int ions) {
  const int low = std::min(one.a, one.b), high = std::max(one.a, one.b);
  if (low < 0 || high >= ions)
    throw InputError({.what = "a constraint is of an ion that does not exist",
                      .where = ions_of(one.a, one.b),
                      .limit = "ions 1 to " + std::to_string(ions),
                      .hint = "count the ions from the first one of the structure"});
  if (low == high)
    throw InputError({.what = "a constraint is of an ion with itself",
                      .where = ions_of(one.a, one.b),
                      .hint = "give two ions"});
  if (!(one.distance > 0) || !std::isfinite(one.distance))
    throw InputError({.what = "the distance of a constraint is not above 0",
                      .where = ions_of(one.a, one.b),
                      .value = shown(one.distance) + " bohr",
                      .limit = "above 0",
                      .hint = "give the distance that the ions shall keep"});
}

}  // namespace

void IonConstraints::Columns::set(std::span<const Vec3> from, std::span<const Vec3> offsets) {
  for (int k = 0; k < 3; ++k) {
    axis[k].resize(from.size());
    for (std::size_t i = 0; i < from.size(); ++i)
      axis[k][i] = from[i][k] + (offsets.empty() ? 0 : offsets[i][k]);
  }
}

void IonConstraints::Columns::get(std::span<Vec3> to, std::span<const Vec3> offsets) const {
  for (int k = 0; k < 3; ++k)
    for (std::size_t i = 0; i < to.size(); ++i)
      to[i][k] = axis[k][i] - (offsets.empty() ? 0 : offsets[i][k]);
}

IonConstraints::IonConstraints(std::span<const IonDistance> distances,
                               std::span<const double> masses, std::vector<Vec3> offsets,
                               double tolerance)
    : offsets_(std::move(offsets)), tolerance_(tolerance) {
  FG_CHECK(offsets_.empty() || offsets_.size() == masses.size());
  FG_CHECK(tolerance > 0);
  std::set<std::pair<int, int>> seen;
  for (const IonDistance& one : distances) {
    check(one, static_cast<int>(masses.size()));
    if (!seen.insert(std::minmax(one.a, one.b)).second)
      throw InputError({.what = "a constraint is there twice",
                        .where = ions_of(one.a, one.b),
                        .hint = "leave out one of them"});
    list_.bonds.push_back({.a = one.a,
                           .b = one.b,
                           .distance2 = one.distance * one.distance,
                           .inverse_mass_a = 1 / masses[static_cast<std::size_t>(one.a)],
                           .inverse_mass_b = 1 / masses[static_cast<std::size_t>(one.b)]});
  }
  // One cluster: those that do not share ions converge each on its own anyway.
  if (!distances.empty()) list_.first.push_back(static_cast<std::int32_t>(list_.bonds.size()));
}

void IonConstraints::apply_to_positions(std::span<const Vec3> previous, const MovingIons& ions,
                                        double timestep) {
  if (count() == 0) return;
  previous_.set(previous, offsets_);
  position_.set(ions.positions, offsets_);
  velocity_.set(ions.velocities, {});
  if (shake_clusters(list_, tolerance_, previous_.const_axes(), position_.axes(), velocity_.axes(),
                     1 / timestep) >= 0)
    throw NumericsError({.what = "the distances between ions cannot be kept",
                         .value = "an error of " + shown(largest_error(ions.positions)) +
                                  " of a distance before they are mended",
                         .limit = shown(tolerance_),
                         .hint = "a shorter time step, or constraints that do not contradict each "
                                 "other"});
  position_.get(ions.positions, offsets_);
  velocity_.get(ions.velocities, {});
}

void IonConstraints::apply_to_velocities(const MovingIons& ions) {
  if (count() == 0) return;
  position_.set(ions.positions, offsets_);
  velocity_.set(ions.velocities, {});
  if (rattle_clusters(list_, tolerance_, position_.const_axes(), velocity_.axes()) >= 0)
    throw NumericsError({.what = "velocities of ions cannot be made to keep their distances",
                         .hint = "a shorter time step, or constraints that do not contradict each "
                                 "other"});
  velocity_.get(ions.velocities, {});
}

std::vector<IonPair> IonConstraints::pairs(std::span<const Vec3> positions) const {
  const auto at = [&](std::int32_t ion) {
    const auto i = static_cast<std::size_t>(ion);
    return offsets_.empty() ? positions[i] : positions[i] + offsets_[i];
  };
  std::vector<IonPair> all;
  all.reserve(list_.bonds.size());
  for (const ShakeBond& bond : list_.bonds)
    all.push_back({bond.a, bond.b, at(bond.b) - at(bond.a)});
  return all;
}

double IonConstraints::largest_error(std::span<const Vec3> positions) const {
  double largest = 0;
  const std::vector<IonPair> all = pairs(positions);
  for (std::size_t i = 0; i < all.size(); ++i)
    largest =
        std::max(largest, std::abs(norm(all[i].way) / std::sqrt(list_.bonds[i].distance2) - 1));
  return largest;
}

}  // namespace fg
