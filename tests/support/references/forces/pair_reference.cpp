// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/forces/pair_reference.hpp"

#include <algorithm>
#include <cmath>

#include "forces/constants.hpp"

namespace fg {
namespace {

/// An energy and -1/r times its derivative by r.
struct Term {
  double energy = 0;
  double force_over_r = 0;
};
Term operator*(double factor, const Term& t) {
  return {factor * t.energy, factor * t.force_over_r};
}
Term operator-(const Term& a, const Term& b) {
  return {a.energy - b.energy, a.force_over_r - b.force_over_r};
}

Term coulomb(const PairSettings& s, double qq, double r, bool excluded) {
  const double r2 = r * r;
  switch (s.coulomb) {
    case Coulomb::ewald: {
      const double z = s.ewald_coefficient * r;
      const double gauss = s.ewald_coefficient * two_over_sqrt_pi * std::exp(-z * z);
      if (!excluded) return {qq * std::erfc(z) / r, qq * (std::erfc(z) / r + gauss) / r2};
      if (r == 0) return {-qq * s.ewald_coefficient * two_over_sqrt_pi, 0};
      return {-qq * std::erf(z) / r, -qq * (std::erf(z) / r - gauss) / r2};
    }
    case Coulomb::reaction_field: {
      if (excluded) return {};
      const double d = s.reaction_field_dielectric, rc = s.cutoff;
      const double k = (d - 1) / ((2 * d + 1) * rc * rc * rc), c = 3 * d / ((2 * d + 1) * rc);
      return {qq * (1 / r + k * r2 - c), qq * (1 / (r * r2) - 2 * k)};
    }
    case Coulomb::plain:
      if (excluded) return {};
      return {qq / r, qq / (r * r2)};
  }
  return {};
}

/// 1 / r^n, whose force goes to zero at the cutoff and whose energy is shifted to go with it.
Term force_switched(int n, const PairSettings& s, double r) {
  const double rc = s.cutoff, r1 = s.switch_distance, half = 0.5 * n;
  if (r <= r1) return {std::pow(r, -n) - std::pow(r1 * rc, -half), n * std::pow(r, -n - 2)};
  const double k = std::pow(rc, half) / (std::pow(rc, half) - std::pow(r1, half));
  const double g = std::pow(r, -half) - std::pow(rc, -half);
  return {k * g * g, n * k * g * std::pow(r, -half - 2)};
}

Term lennard_jones(const PairSettings& s, double sigma, double epsilon, double r) {
  const double s6 = std::pow(sigma / r, 6);
  Term term{4 * epsilon * s6 * (s6 - 1), 24 * epsilon * s6 * (2 * s6 - 1) / (r * r)};
  if (s.switching == Switching::force && s.switch_distance > 0) {
    const double c6 = 4 * epsilon * std::pow(sigma, 6), c12 = c6 * std::pow(sigma, 6);
    return c12 * force_switched(12, s, r) - c6 * force_switched(6, s, r);
  }
  if (s.switch_distance > 0 && r > s.switch_distance) {
    const double width = s.cutoff - s.switch_distance;
    const double x = (r - s.switch_distance) / width;
    const double value = 1 + x * x * x * (-10 + x * (15 - 6 * x));
    const double slope = -30 * x * x * (1 - x) * (1 - x) / width;
    term.force_over_r = term.force_over_r * value - term.energy * slope / r;
    term.energy *= value;
  }
  return term;
}

}  // namespace

PairEnergies pair_reference(const PairSettings& settings, const AtomParameters& atoms,
                            const ExclusionTable& exclusions, const std::optional<Box>& box,
                            std::span<const Vec3> positions, std::span<Vec3> forces) {
  PairEnergies sum;
  const int n = static_cast<int>(positions.size());
  for (int i = 0; i < n; ++i) {
    std::vector<std::int32_t> room;
    const auto excluded_from_i = exclusions.of(i, room);
    for (int j = i + 1; j < n; ++j) {
      Vec3 d = positions[i] - positions[j];
      if (box) d = box->nearest_image(d);
      const double r = norm(d);
      if (r >= settings.cutoff) continue;
      const bool excluded = std::binary_search(excluded_from_i.begin(), excluded_from_i.end(), j);
      const Term c = coulomb(settings, atoms.charge[i] * atoms.charge[j], r, excluded);
      Term lj;
      if (!excluded) lj = lennard_jones(settings, atoms.sigma_of(i, j), atoms.epsilon_of(i, j), r);
      sum.coulomb += c.energy;
      sum.lennard_jones += lj.energy;
      const Vec3 f = d * (c.force_over_r + lj.force_over_r);
      forces[i] += f;
      forces[j] -= f;
      sum.virial[0] += d.x * f.x;
      sum.virial[1] += d.y * f.y;
      sum.virial[2] += d.z * f.z;
      sum.virial[3] += d.x * f.y;
      sum.virial[4] += d.x * f.z;
      sum.virial[5] += d.y * f.z;
    }
  }
  return sum;
}

}  // namespace fg
