// SPDX-License-Identifier: BSD-3-Clause
//
// Charges and Lennard-Jones parameters of the atoms of one copy, and how two atoms mix. They mix by
// the rules of Lorentz and Berthelot (arithmetic sigma, geometric epsilon). If a force field has
// another rule or special pairs (NBFIX), they mix by a table of pairs of types. Units: bohr,
// hartree, elementary charges.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "particles/copies.hpp"

namespace fg {

/// Lennard-Jones parameters of every pair of types.
struct LennardJonesTypes {
  int count = 0;                      // 0: no table, atoms mix by Lorentz and Berthelot
  std::vector<std::int32_t> of_atom;  // the type of each atom
  std::vector<double> sigma;          // [count * count], symmetric, as is the next
  std::vector<double> epsilon;

  std::size_t place(std::int32_t a, std::int32_t b) const noexcept {
    return static_cast<std::size_t>(of_atom[a]) * count + of_atom[b];
  }
};

struct AtomParameters {
  std::vector<double> charge;
  std::vector<double> sigma;  // with a table of types: of a pair of equal atoms, as the next
  std::vector<double> epsilon;
  LennardJonesTypes types = {};
  Copies copies = {};

  // By global id:
  double charge_of(std::int32_t a) const noexcept { return charge[copies.within(a)]; }
  double sigma_of(std::int32_t one, std::int32_t other) const noexcept {
    const int a = copies.within(one), b = copies.within(other);
    return types.count > 0 ? types.sigma[types.place(a, b)] : 0.5 * (sigma[a] + sigma[b]);
  }
  double epsilon_of(std::int32_t one, std::int32_t other) const noexcept {
    const int a = copies.within(one), b = copies.within(other);
    return types.count > 0 ? types.epsilon[types.place(a, b)] : std::sqrt(epsilon[a] * epsilon[b]);
  }
  /// Whether the atom has a Lennard-Jones energy with any other.
  bool has_lennard_jones(std::int32_t atom) const noexcept {
    const int a = copies.within(atom);
    if (types.count == 0) return epsilon[a] != 0;
    const double* const row = types.epsilon.data() + std::ptrdiff_t{types.of_atom[a]} * types.count;
    for (int other = 0; other < types.count; ++other)
      if (row[other] != 0) return true;
    return false;
  }
};

}  // namespace fg
