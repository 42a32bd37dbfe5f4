// SPDX-License-Identifier: BSD-3-Clause
//
// How electrons and ions move, as the job says. Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <vector>

#include "ab_initio/motion/cell_motion.hpp"
#include "ab_initio/motion/ion_constraints.hpp"

namespace fg::ab_initio {

/// In Car-Parrinello dynamics the coefficients of orbitals move as particles with a fictitious
/// mass; in Born-Oppenheimer dynamics the ground state is found at each step.
enum class DynamicsKind { none, car_parrinello, born_oppenheimer };

/// What keeps moving orbitals orthonormal: forces of constraint at each step, or nothing: then the
/// energy is that of the orbitals made orthonormal, and its derivatives are the forces.
enum class Orthonormality { constrained, free };

enum class IonBathKind { none, nose_hoover, rescaling, langevin };
enum class ElectronBathKind { none, nose_hoover };

struct IonBathSettings {
  IonBathKind kind = IonBathKind::none;
  double temperature = 0;    // k_B T
  double time_constant = 0;  // of Langevin dynamics: one over the friction
  int chain_length = 4;      // of Nose and Hoover
};

/// A chain of Nose and Hoover on all orbitals.
struct ElectronBathSettings {
  ElectronBathKind kind = ElectronBathKind::none;
  double kinetic = 0;  // fictitious kinetic energy
  double time_constant = 0;
  int chain_length = 4;
};

struct DynamicsSettings {
  DynamicsKind kind = DynamicsKind::none;
  double timestep = 0;
  std::int64_t steps = 0;
  bool ions_rest = false;  // only the orbitals move
  std::uint64_t seed = 0;  // of random numbers of baths

  // Car-Parrinello: the mass of a coefficient of the wave G is fictitious_mass up to
  // |G|^2/2 = mass_cutoff, and fictitious_mass (|G|^2/2) / mass_cutoff above.
  Orthonormality orthonormality = Orthonormality::constrained;
  double fictitious_mass = 0;
  double mass_cutoff = 0;
  double constraint_tolerance = 0;  // largest component of <psi|psi> - 1
  /// Free orbitals are made orthonormal if a component of <chi|chi> - 1 is larger than this.
  double reset_above = 0;

  // Born-Oppenheimer: the first orbitals are extrapolated from predictor_order + 2 steps, by
  // Kolafa's always stable predictor; negative: those of the last step.
  int predictor_order = 0;

  std::vector<IonDistance> distances;  // between ions, that stay as they are
  CellSettings cell;
  IonBathSettings ion_bath;
  ElectronBathSettings electron_bath;

  // Steps between two rows of energies, two frames of the trajectory; 0: none.
  std::int64_t energy_steps = 1, trajectory_steps = 0;
};

/// Whether the cell moves; then every step needs the stress.
constexpr bool moves_cell(const DynamicsSettings& settings) noexcept {
  return settings.cell.moves != MovingCell::nothing;
}

/// Whether a step has a frame; whether anything is reported of it, as of the last one.
constexpr bool has_frame(const DynamicsSettings& settings, std::int64_t step) noexcept {
  return settings.trajectory_steps > 0 && step % settings.trajectory_steps == 0;
}
constexpr bool is_due(const DynamicsSettings& settings, std::int64_t step) noexcept {
  return step == settings.steps || has_frame(settings, step) ||
         (settings.energy_steps > 0 && step % settings.energy_steps == 0);
}

}  // namespace fg::ab_initio
