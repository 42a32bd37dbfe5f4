// SPDX-License-Identifier: BSD-3-Clause
//
// A periodic torsion: E = k (1 + cos(n phi - phase)), proper or improper, phi = 0 for cis.
// cos(n phi) and sin(n phi) are the n-th power of cos(phi) + i sin(phi), so the angle itself is not
// computed. Source: Blondel, Karplus, J. Comput. Chem. 17, 1132 (1996),
// doi:10.1002/(SICI)1096-987X(19960715)17:9<1132::AID-JCC5>3.0.CO;2-T: no division by sin(phi).
// Units: bohr, hartree, radians.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <string_view>
#include <tuple>

#include "base/vec3.hpp"
#include "forces/bonded/term.hpp"

namespace fg {

struct TorsionResult {
  double energy = 0;
  std::array<Vec3, 4> force;
};

/// For atoms i, j, k, l: `f` = i - j, `g` = j - k, `h` = l - k. `cos_phase` and `sin_phase` are
/// those of the term's phase.
inline TorsionResult periodic_torsion(const Vec3& f, const Vec3& g, const Vec3& h, int periodicity,
                                      double cos_phase, double sin_phase,
                                      double stiffness) noexcept {
  const Vec3 a = cross(f, g);
  const Vec3 b = cross(h, g);
  const double g2 = dot(g, g);
  const double g1 = std::sqrt(g2);
  double a2 = dot(a, a), b2 = dot(b, b);
  // Three atoms in line leave phi undefined; below an angle of 1e-8 the force is bounded.
  const double smallest = 1e-16 * g2;
  const double a2_least = smallest * dot(f, f) + 1e-300, b2_least = smallest * dot(h, h) + 1e-300;
  a2 = a2 > a2_least ? a2 : a2_least;
  b2 = b2 > b2_least ? b2 : b2_least;
  const double scale = 1.0 / std::sqrt(a2 * b2);
  const double cosine = dot(a, b) * scale;
  const double sine = dot(cross(b, a), g) * scale / g1;

  double c = 1.0, s = 0.0;
  for (int i = 0; i < periodicity; ++i) {
    const double next = c * cosine - s * sine;
    s = c * sine + s * cosine;
    c = next;
  }
  const double energy = stiffness * (1.0 + c * cos_phase + s * sin_phase);
  const double slope = stiffness * periodicity * (c * sin_phase - s * cos_phase);  // dE / d phi

  const Vec3 d_f = (-g1 / a2) * a;  // d phi / d(each bond vector), equation 24
  const Vec3 d_h = (g1 / b2) * b;
  const Vec3 d_g = (dot(f, g) / (a2 * g1)) * a - (dot(h, g) / (b2 * g1)) * b;
  const Vec3 on_i = -slope * d_f, on_g = -slope * d_g, on_l = -slope * d_h;
  return {energy, {on_i, on_g - on_i, -on_g - on_l, on_l}};
}

struct PeriodicTorsion {
  static constexpr std::string_view name = "a torsion", names_of_many = "torsions",
                                    table = "/torsions", energy = "torsion";
  std::array<std::int32_t, 4> atoms{};
  std::int32_t periodicity = 0;
  double phase = 0;
  double stiffness = 0;

  static constexpr auto columns() {
    return std::tuple{column("periodicity", &PeriodicTorsion::periodicity, 0, 64),
                      column("phase", &PeriodicTorsion::phase, -1e7, 1e7),
                      column("stiffness", &PeriodicTorsion::stiffness, -1e7, 1e7)};
  }
  static constexpr bool counts() noexcept { return true; }

  struct Kernel {
    std::int32_t periodicity;
    double cos_phase, sin_phase, stiffness;
    explicit Kernel(const PeriodicTorsion& t) noexcept
        : periodicity(t.periodicity),
          cos_phase(std::cos(t.phase)),
          sin_phase(std::sin(t.phase)),
          stiffness(t.stiffness) {}

    void operator()(TermAtoms auto& atoms) const noexcept {
      const Vec3 ij = atoms.between(0, 1), jk = atoms.between(1, 2), lk = atoms.between(3, 2);
      const TorsionResult r =
          periodic_torsion(ij, jk, lk, periodicity, cos_phase, sin_phase, stiffness);
      for (int k = 0; k < 4; ++k) atoms.add_force(k, r.force[k]);
      atoms.add_energy(r.energy);
      atoms.add_virial(ij + jk, r.force[0]);  // all relative to the third atom
      atoms.add_virial(jk, r.force[1]);
      atoms.add_virial(lk, r.force[3]);
    }
  };
};
static_assert(BondedTerm<PeriodicTorsion>);

}  // namespace fg
