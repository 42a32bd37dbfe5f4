// SPDX-License-Identifier: BSD-3-Clause
#include "support/references/electrons/projector_references.hpp"

#include <array>
#include <cmath>

#include "electrons/waves/harmonics.hpp"
#include "support/references/electrons/wave_references.hpp"

namespace fg::electrons::reference {

namespace {

using Complex = std::complex<double>;

struct Row {
  std::size_t ion;
  const RadialTable* table;
  std::size_t m;
  const ProjectorKind* kind;
  std::size_t projector;
};

std::vector<Row> rows_of(const std::vector<ProjectorKind>& kinds,
                         std::span<const int> kind_of_ion) {
  std::vector<Row> rows;
  for (std::size_t ion = 0; ion < kind_of_ion.size(); ++ion) {
    const ProjectorKind& kind = kinds[static_cast<std::size_t>(kind_of_ion[ion])];
    for (std::size_t i = 0; i < kind.tables.size(); ++i)
      for (int m = 0; m <= 2 * kind.tables[i].l(); ++m)
        rows.push_back({ion, &kind.tables[i], static_cast<std::size_t>(m), &kind, i});
  }
  return rows;
}

/// V^(-1/2) w i^l times the phase and its gradient by R, q Y, and the gradient of q Y by G.
struct Projector {
  Complex turn;
  std::array<Complex, 3> turn_gradient;
  double radial_angular;
  Vec3 gradient;
};

Projector at(const PlaneWaves& waves, std::size_t i, const Row& row, const IonPhase& phase) {
  const Vec3 g = waves.wave(i);
  const double length = norm(g);
  const int l = row.table->l();
  const Complex factor =
      std::pow(Complex(0, 1), l) * ((length == 0 ? 1 : 2) / std::sqrt(waves.lattice().volume()));
  const Complex turn = factor * phase.value;
  const std::array<Complex, 3> turn_gradient = {
      factor * phase.gradient[0], factor * phase.gradient[1], factor * phase.gradient[2]};
  const RadialValue q = row.table->at(length);
  if (length == 0) {
    const double s = 1 / std::sqrt(4 * std::acos(-1.0));
    return {turn, turn_gradient, l == 0 ? q.value * s : 0, {}};
  }
  const double over = std::pow(length, -l);
  const double solid = solid_harmonics(l, g)[row.m];
  const Vec3 gradient = electrons::solid_harmonics(l, g)[row.m].gradient;
  const double along = (q.slope * over - l * q.value * over / length) * solid / length;
  return {turn, turn_gradient, q.value * over * solid, g * along + gradient * (q.value * over)};
}

}  // namespace

Nonlocal nonlocal(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                  std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                  Projectors::Block block, std::size_t orbitals, double occupation) {
  return nonlocal(waves, kinds, kind_of_ion, positions, block, orbitals, occupation,
                  exact_phases(waves));
}

Nonlocal nonlocal(const PlaneWaves& waves, const std::vector<ProjectorKind>& kinds,
                  std::span<const int> kind_of_ion, std::span<const Vec3> positions,
                  Projectors::Block block, std::size_t orbitals, double occupation,
                  const IonPhases& phases) {
  const std::vector<Row> rows = rows_of(kinds, kind_of_ion);
  const std::size_t size = waves.size();
  Nonlocal result;
  result.z.resize(rows.size() * orbitals);
  result.applied.resize(orbitals * size);
  result.forces.resize(positions.size());
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t i = 0; i < size; ++i) {
      const Projector b = at(waves, i, rows[p], phases(i, positions[rows[p].ion]));
      for (std::size_t s = 0; s < orbitals; ++s)
        result.z[p * orbitals + s] += (b.turn * b.radial_angular * block[s * size + i]).real();
    }
  for (std::size_t p = 0; p < rows.size(); ++p)
    for (std::size_t s = 0; s < orbitals; ++s) {
      double dz = 0;
      for (std::size_t o = 0; o < rows.size(); ++o)
        if (rows[o].ion == rows[p].ion && rows[o].m == rows[p].m &&
            rows[o].table->l() == rows[p].table->l())
          dz += rows[p].kind->coupling[rows[p].projector * rows[p].kind->tables.size() +
                                       rows[o].projector] *
                result.z[o * orbitals + s];
      const double energy = occupation * result.z[p * orbitals + s] * dz;
      result.energy += energy;
      for (int k = 0; k < 3; ++k) result.virial[k] += energy;
      for (std::size_t i = 0; i < size; ++i) {
        const Projector b = at(waves, i, rows[p], phases(i, positions[rows[p].ion]));
        const double weight = waves.squares()[i] == 0 ? 1 : 2;
        result.applied[s * size + i] += dz * std::conj(b.turn) * b.radial_angular / weight;
        const Complex turned = b.turn * block[s * size + i];
        const Vec3 g = waves.wave(i);
        for (std::size_t a = 0; a < 3; ++a)
          result.forces[rows[p].ion][static_cast<int>(a)] -=
              2 * occupation * dz * (b.turn_gradient[a] * block[s * size + i]).real() *
              b.radial_angular;
        const Vec3 change = b.gradient * (occupation * dz * turned.real());
        add_virial(result.virial, g, change);
        add_virial(result.virial, change, g);
      }
    }
  return result;
}

}  // namespace fg::electrons::reference
