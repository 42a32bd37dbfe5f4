// SPDX-License-Identifier: BSD-3-Clause
//
// Ions that move by velocity Verlet, all of them in one object, with their heat bath
// (motion/ion_bath.hpp) and the distances between them that stay as they are
// (motion/ion_constraints.hpp). Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "ab_initio/job.hpp"
#include "base/vec3.hpp"
#include "motion/ion_bath.hpp"
#include "motion/ion_constraints.hpp"

namespace fg::ab_initio {

class IonMotion {
 public:
  /// Throws InputError if a setting of the bath or a constraint makes no sense.
  explicit IonMotion(const Job& job);

  /// At these positions, with the velocities of the job (none: at rest), less the velocity of their
  /// centre of mass.
  void begin(std::span<const Vec3> positions);

  /// As a run that has been kept had them. Throws InputError if the state of the bath is not one of
  /// the job's.
  void restore(std::span<const Vec3> positions, std::span<const Vec3> velocities,
               const IonBathState& bath);
  IonBathState bath_state() const { return bath_->state(); }

  /// From step `step`, with the forces there: half of the kick, and to the next positions.
  void move(std::int64_t step, std::span<const Vec3> forces);
  /// The other half, with the forces at the new positions.
  void kick(std::int64_t step, std::span<const Vec3> forces);

  const std::vector<Vec3>& positions() const noexcept { return positions_; }
  const std::vector<Vec3>& velocities() const noexcept { return velocities_; }
  double kinetic_energy() const noexcept;
  /// k_B T of the degrees of freedom that move.
  double temperature() const noexcept;
  double bath_energy() const noexcept { return bath_->energy(); }
  /// Those that keep the distances [constraints], with these forces of all else
  /// (motion/constraint_forces.hpp).
  std::vector<double> constraint_forces(std::span<const Vec3> forces) const;

 private:
  MovingIons ions() noexcept { return {job_.masses, positions_, velocities_}; }
  void push(std::span<const Vec3> forces) noexcept;
  void drift(std::int64_t step);

  const Job& job_;
  std::unique_ptr<IonBath> bath_;
  IonConstraints constraints_;
  std::vector<Vec3> positions_, velocities_;
  std::vector<Vec3> previous_;  // positions, before a drift with constraints
};

}  // namespace fg::ab_initio
