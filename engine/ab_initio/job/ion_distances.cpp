// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/job/ion_distances.hpp"

#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "ab_initio/job/baths.hpp"
#include "base/error.hpp"
#include "base/shown.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::ab_initio {

namespace {

constexpr double same_image = 1e-6;  // of offsets [bohr]; images are a vector of the cell apart

std::string ions_of(const IonDistance& one) {
  return "ions " + std::to_string(one.a + 1) + " and " + std::to_string(one.b + 1);
}

void check_lengths(const Job& job, const electrons::NearestImage& nearest) {
  const double most = nearest.shortest() / 2;
  for (const IonDistance& one : job.dynamics.distances)
    if (!job.isolated && one.distance >= most)
      throw InputError({.what = "the distance of a constraint reaches half of the cell, where "
                                "two images are as near as each other",
                        .where = ions_of(one),
                        .value = shown(one.distance) + " bohr",
                        .limit = "below " + shown(most) + " bohr",
                        .hint = "take a larger cell"});
}

/// The places of ions, found from constraint to constraint: those that share one are neighbours.
std::vector<Vec3> offsets_of(const Job& job, const electrons::NearestImage& nearest) {
  std::vector<std::optional<Vec3>> found(job.positions.size());
  const auto& all = job.dynamics.distances;
  const auto visit = [&](const IonDistance& one) {
    const auto a = static_cast<std::size_t>(one.a), b = static_cast<std::size_t>(one.b);
    if (!found[a] && !found[b]) return false;
    const Vec3 way = job.positions[b] - job.positions[a];
    const Vec3 jump = nearest(way) - way;
    if (found[a] && found[b]) {
      if (norm(*found[a] + jump - *found[b]) > same_image)
        throw InputError({.what = "a ring of constraints goes through the cell to its own image",
                          .where = ions_of(one),
                          .hint = "leave out one constraint of the ring, or take a larger cell"});
      return false;
    }
    if (found[a])
      found[b] = *found[a] + jump;
    else
      found[a] = *found[b] - jump;
    return true;
  };
  for (const IonDistance& start : all) {
    auto& first = found[static_cast<std::size_t>(start.a)];
    if (first || found[static_cast<std::size_t>(start.b)]) continue;
    first = Vec3{};
    for (bool grows = true; grows;) {
      grows = false;
      for (const IonDistance& one : all) grows = visit(one) || grows;
    }
  }
  for (const IonDistance& one : all) visit(one);  // closes rings
  std::vector<Vec3> offsets;
  offsets.reserve(found.size());
  for (const auto& offset : found) offsets.push_back(offset.value_or(Vec3{}));
  return offsets;
}

void check_places(const Job& job, const IonConstraints& constraints) {
  const std::vector<IonPair> pairs = constraints.pairs(job.positions);
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const IonDistance& one = job.dynamics.distances[i];
    const double found = norm(pairs[i].way);
    if (std::abs(found / one.distance - 1) > most_distance_error)
      throw InputError({.what = "ions do not have the distance of their constraint",
                        .where = ions_of(one),
                        .value = shown(found) + " bohr",
                        .limit = shown(one.distance) + " bohr",
                        .hint = "move the ions to where the distance is right"});
  }
  if (!are_independent(pairs, job.masses))
    throw InputError({.what = "constraints of distances depend on each other",
                      .value = std::to_string(pairs.size()) + " constraints",
                      .hint = "leave out one of those of ions that are in one line, or more than "
                              "three for each ion"});
}

}  // namespace

IonConstraints make_ion_constraints(const Job& job) {
  const DynamicsSettings& dynamics = job.dynamics;
  if (dynamics.distances.empty()) return {dynamics.distances, job.masses};
  if (moves_cell(dynamics))
    throw InputError({.what = "distances between ions stay, but the cell moves",
                      .value = std::to_string(dynamics.distances.size()) + " distances",
                      .hint = "leave out the constraints, or hold the cell"});
  IonConstraints checked(dynamics.distances, job.masses);  // ions, distances
  std::vector<Vec3> offsets(job.positions.size());
  if (!job.isolated) {
    const electrons::NearestImage nearest(job.cell);
    check_lengths(job, nearest);
    offsets = offsets_of(job, nearest);
  }
  IonConstraints constraints(dynamics.distances, job.masses, std::move(offsets));
  check_places(job, constraints);
  if (ion_degrees_of_freedom(dynamics, job.positions.size()) < 1)
    throw InputError({.what = "constraints leave no motion to the ions",
                      .value = std::to_string(constraints.count()) + " constraints",
                      .hint = "leave out some of them, or use ions that rest"});
  return constraints;
}

}  // namespace fg::ab_initio
