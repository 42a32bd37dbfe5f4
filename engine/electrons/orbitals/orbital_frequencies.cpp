// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/orbitals/orbital_frequencies.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"

namespace fg::electrons {

namespace {

constexpr double stiff_bond = 0.5;  // [hartree/bohr^2]

}  // namespace

double highest_orbital_frequency(const SwingingOrbitals& orbitals, double lowest_eigenvalue) {
  FG_CHECK(lowest_eigenvalue <= 0);
  // (t - e) / m(t) grows up to the cutoff of the mass, and then falls to its limit, or stays.
  const double t = std::min(orbitals.cutoff, orbitals.mass.cutoff);
  return std::sqrt(orbitals.occupation * (t - lowest_eigenvalue) / orbitals.mass.of(t));
}

double lowest_orbital_frequency(const SwingingOrbitals& orbitals, double gap) noexcept {
  return std::sqrt(orbitals.occupation * gap / orbitals.mass.mass);
}

double gap_of_frequency(const SwingingOrbitals& orbitals, double frequency) noexcept {
  return orbitals.mass.mass * frequency * frequency / orbitals.occupation;
}

double highest_ion_frequency(std::span<const double> masses) noexcept {
  if (masses.empty()) return 0;
  return std::sqrt(stiff_bond / *std::min_element(masses.begin(), masses.end()));
}

}  // namespace fg::electrons
