// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/more_orbitals.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace fg::ab_initio {

namespace {

/// The sum of energies of the orbitals, which is above none of them, is found to this.
constexpr double known_to = 1e-7;
constexpr double largest_residual = 1e-6;
constexpr std::int64_t most_iterations = 300;
/// Two energies nearer than this may be those of one orbital.
constexpr double same_energy = 1e-3;

/// Takes away the one that is nearest to each occupied orbital, if it is near.
std::vector<double> without_occupied(std::span<const double> lowest,
                                     std::span<const double> occupied) {
  std::vector<double> left(lowest.begin(), lowest.end());
  for (const double energy : occupied) {
    const auto nearest = std::min_element(left.begin(), left.end(), [&](double a, double b) {
      return std::abs(a - energy) < std::abs(b - energy);
    });
    if (nearest != left.end() && std::abs(*nearest - energy) < same_energy) left.erase(nearest);
  }
  return left;
}

}  // namespace

Job job_of_more_orbitals(const Job& job) {
  Job more = job;
  ElectronSettings& electrons = more.electrons;
  electrons.bands += electrons.empty();
  electrons.bands_up += electrons.empty_up;
  electrons.empty_up = electrons.empty_down = 0;
  more.dispersion.reset();
  more.dynamics = {};
  more.writes_density = more.keeps_orbitals = false;
  more.ground_state.minimiser = MinimiserKind::l_bfgs;
  more.ground_state.tolerance = largest_residual;
  more.ground_state.energy_tolerance = known_to;
  more.ground_state.iterations = most_iterations;
  if (more.ground_state.start == StartKind::orbitals) more.ground_state.start = StartKind::random;
  return more;
}

EmptyOrbitals empty_orbitals(const Job& job, const std::vector<double>& occupied,
                             const GroundState& lowest) {
  EmptyOrbitals found{.converged = lowest.converged, .iterations = lowest.history.back().number};
  const auto up = static_cast<std::size_t>(job.electrons.up());
  const std::size_t lowest_up = up + static_cast<std::size_t>(job.electrons.empty_up);
  const std::span all(lowest.eigenvalues), taken(occupied);
  found.energies = without_occupied(all.first(lowest_up), taken.first(up));
  found.up = static_cast<int>(found.energies.size());
  const auto down = without_occupied(all.subspan(lowest_up), taken.subspan(up));
  found.energies.insert(found.energies.end(), down.begin(), down.end());
  if (!found.energies.empty())
    found.gap = *std::min_element(found.energies.begin(), found.energies.end()) -
                *std::max_element(occupied.begin(), occupied.end());
  return found;
}

}  // namespace fg::ab_initio
