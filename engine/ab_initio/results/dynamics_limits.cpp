// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/results/dynamics_limits.hpp"

#include <cmath>
#include <limits>

#include "base/shown.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::ab_initio {

namespace {

constexpr const char* shorter_step =
    "use a shorter time step, and look for ions that come too close to each other";

bool is_finite(const Vec3& v) noexcept {
  return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z);
}

/// Empty for one ion alone, or if a position is not a number.
std::string nearest_ions(const Job& job, std::span<const Vec3> positions) {
  const electrons::NearestImage nearest(job.cell);
  double shortest = std::numeric_limits<double>::infinity();
  std::size_t one = 0, other = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (std::size_t k = 0; k < i; ++k) {
      const Vec3 between = positions[i] - positions[k];
      if (!is_finite(between)) return {};
      const double length = norm(job.isolated ? between : nearest(between));
      if (length >= shortest) continue;
      shortest = length;
      one = k;
      other = i;
    }
  if (one == other) return {};
  return "the nearest ions are " + name_of_ion(job, one) + " and " + name_of_ion(job, other) +
         ", " + shown(shortest, 4) + " bohr apart";
}

}  // namespace

std::string name_of_ion(const Job& job, std::size_t ion) {
  return "ion " + std::to_string(ion + 1) + " (" + job.species_of_ion(ion).symbol + ")";
}

std::string name_of_step(std::int64_t step) {
  return "step " + std::to_string(step) + " of the dynamics";
}

void check_forces(const Job& job, std::span<const Vec3> forces, std::int64_t step) {
  for (std::size_t ion = 0; ion < forces.size(); ++ion)
    if (!is_finite(forces[ion]))
      throw NumericsError({.what = "the force on an ion is not a number",
                           .where = name_of_step(step) + ", " + name_of_ion(job, ion),
                           .value = shown(forces[ion].x) + ", " + shown(forces[ion].y) + ", " +
                                    shown(forces[ion].z) + " hartree/bohr",
                           .hint = shorter_step});
}

void check_moves(const Job& job, std::span<const Vec3> before, std::span<const Vec3> after,
                 std::int64_t step) {
  double longest = 0;
  std::size_t furthest = 0;
  for (std::size_t ion = 0; ion < after.size(); ++ion) {
    const double length = norm(after[ion] - before[ion]);
    if (length <= longest) continue;
    longest = length;
    furthest = ion;
    if (!std::isfinite(length)) break;  // the first of these
  }
  if (longest <= longest_move) return;
  throw NumericsError({.what = "an ion moves too far in one step",
                       .where = name_of_step(step) + ", " + name_of_ion(job, furthest),
                       .value = shown(longest, 4) + " bohr",
                       .limit = shown(longest_move) + " bohr",
                       .hint = shorter_step});
}

void check_conserved_energy(const DynamicsStep& step, std::optional<double> at_start, int ions) {
  const double energy = step.conserved();
  if (!std::isfinite(energy))
    throw NumericsError({.what = "the conserved energy is not a number",
                         .where = name_of_step(step.number),
                         .hint = shorter_step});
  if (!at_start) return;
  const double change = (energy - *at_start) / ions;
  if (std::abs(change) <= most_change_of_energy) return;
  throw NumericsError({.what = "the conserved energy is lost",
                       .where = name_of_step(step.number),
                       .value = shown(change, 4) + " hartree for each ion since step 0",
                       .limit = shown(most_change_of_energy) + " hartree for each ion",
                       .hint =
                           "use a shorter time step; look at energies.csv for the step where it "
                           "began; the last checkpoint is kept"});
}

NumericsError at_step(const Error& error, std::int64_t step, const Job& job,
                      std::span<const Vec3> positions) {
  ErrorParts parts = error.parts();
  if (step >= 0 && parts.where.find(name_of_step(step)) == std::string::npos)
    parts.where = name_of_step(step) + (parts.where.empty() ? "" : ", " + parts.where);
  if (parts.value.empty()) parts.value = nearest_ions(job, positions);
  return NumericsError(parts);
}

}  // namespace fg::ab_initio
