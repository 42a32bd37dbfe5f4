// SPDX-License-Identifier: BSD-3-Clause
#include "motion/constraints/far_projection.hpp"

#include <algorithm>
#include <cmath>

#include "base/elementary.hpp"

namespace fg {

namespace {

constexpr int sweeps = 2000;
constexpr int sweeps_to_nudge = 50;
constexpr double nudge = 0.02;  // fraction of the bond

using Atoms = AtomsOfCopy;
using Bonds = std::span<const FragmentConstraint>;

double worst_error(Atoms atoms, Bonds bonds, std::span<const Vec3> positions) {
  double worst = 0;
  for (const FragmentConstraint& bond : bonds) {
    const double now = norm(positions[atoms[bond.b]] - positions[atoms[bond.a]]);
    worst = std::max(worst, std::abs(now - bond.distance) / bond.distance);
  }
  return worst;
}

/// A small vector, different for each atom and round. It moves atoms out of a line, in which bonds
/// along the line would never bend.
Vec3 small_step(std::int32_t atom, int round) {
  const double turn = 2.399963 * (atom + 1) * (round + 1);
  return {elementary::cos(turn), elementary::sin(turn), elementary::cos(1.7 * turn + 0.3)};
}

}  // namespace

void project_far_fragments(const FragmentTable& table, std::span<const double> masses,
                           double tolerance, std::span<Vec3> positions) {
  for (int f = 0; f < table.size(); ++f) {
    const Atoms atoms = table.atoms(f);
    const Bonds bonds = table.constraints(f);
    for (int sweep = 0; sweep < sweeps; ++sweep) {
      if (worst_error(atoms, bonds, positions) <= tolerance) break;
      if (sweep % sweeps_to_nudge == sweeps_to_nudge - 1)
        for (const std::int32_t atom : atoms)
          positions[atom] += small_step(atom, sweep) * (nudge * bonds[0].distance);
      for (const FragmentConstraint& bond : bonds) {
        Vec3& a = positions[atoms[bond.a]];
        Vec3& b = positions[atoms[bond.b]];
        const Vec3 d = b - a;
        const double now = norm(d), share = 1.0 / masses[atoms.within()[bond.a]],
                     other = 1.0 / masses[atoms.within()[bond.b]];
        const Vec3 way = now > 1e-6 ? d * (1.0 / now) : Vec3{1, 0, 0};
        const Vec3 change = way * ((bond.distance - now) / (share + other));
        a -= change * share;
        b += change * other;
      }
    }
  }
}

}  // namespace fg
