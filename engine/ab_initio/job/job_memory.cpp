// SPDX-License-Identifier: BSD-3-Clause
#include <cmath>

#include "ab_initio/job/job.hpp"

namespace fg::ab_initio {

namespace {

/// Bytes for a transform on a grid of splines: its work, its points, and those that wait.
constexpr double bytes_of_spline_point = 48;
/// There are orbitals, H psi, the gradient before, the direction, and trial orbitals. Four pairs of
/// remembered steps are in single precision. Then come the vectors in messages. Runs took 4 to 8 %
/// less than all of it.
constexpr double vectors_of_search = 14;

}  // namespace

double Job::memory() const noexcept {
  const double program = 5e7;
  // Empty orbitals are found by objects of their own, beside those of the ground state.
  return program + memory_of_objects(electrons.bands) +
         (electrons.empty() > 0 ? memory_of_objects(electrons.bands + electrons.empty()) : 0.0);
}

double Job::memory_of_checkpoints(int processes) const noexcept {
  const int vectors = dynamics.kind == DynamicsKind::born_oppenheimer ? dynamics.predictor_order + 3
                      : dynamics.orthonormality == Orthonormality::free ? 3
                                                                        : 2;
  // Two states in files, and one in messages on its way there; all that a second time for the
  // partner.
  const double states = processes > 1 ? 6 : 3;
  return 16 * waves() * electrons.bands * vectors * states;
}

double Job::waves() const noexcept {
  const double longest = largest_wave();
  return cell.volume() * longest * longest * longest / (12 * 9.869604401089358);
}

double Job::memory_of_objects(double orbitals) const noexcept {
  const double points = 1.0 * electrons.grid[0] * electrons.grid[1] * electrons.grid[2];
  const double waves = this->waves();
  double projectors = 0;
  for (std::size_t i = 0; i < positions.size(); ++i)
    for (const Projector& p : species_of_ion(i).projectors) projectors += 2 * p.l + 1;
  const double fields = electrons.spins == 1 ? 30 : 65;
  const auto points_of = [](const IonSettings& settings) {
    return 1.0 * settings.grid[0] * settings.grid[1] * settings.grid[2];
  };
  // By splines: transforms of each block on their way, instead of the projectors of each ion.
  double ions = 16 * waves * projectors;
  if (nonlocal.method == IonMethod::splines)
    ions = bytes_of_spline_point * points_of(nonlocal) * std::ceil(orbitals / division.state_grain);
  if (local.method == IonMethod::splines) ions += bytes_of_spline_point * points_of(local);
  // Vectors of all orbitals; projectors; rows of orbitals on the grid; the density and what belongs
  // to it.
  return 16 * waves * (vectors_of_search + vectors_of_dynamics()) * orbitals + ions +
         8 * points * (0.22 * orbitals + fields);
}

int Job::vectors_of_dynamics() const noexcept {
  switch (dynamics.kind) {
    case DynamicsKind::car_parrinello:  // velocities, gradient; free orbitals and their forces
      return dynamics.orthonormality == Orthonormality::free ? 4 : 2;
    case DynamicsKind::born_oppenheimer:
      return dynamics.predictor_order + 2;
    case DynamicsKind::none:
      break;
  }
  return 0;
}

}  // namespace fg::ab_initio
