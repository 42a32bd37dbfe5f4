// SPDX-License-Identifier: BSD-3-Clause
//
// Ions that move by velocity Verlet, all of them in one object. It also has
// - their heat bath (ab_initio/motion/ion_bath.hpp),
// - the distances between them that stay as they are (ab_initio/motion/ion_constraints.hpp),
// - their cell, if it moves (ab_initio/motion/cell_motion.hpp).
// Units: Hartree atomic units.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "ab_initio/job/job.hpp"
#include "ab_initio/motion/cell_motion.hpp"
#include "ab_initio/motion/ion_bath.hpp"
#include "ab_initio/motion/ion_constraints.hpp"
#include "base/vec3.hpp"
#include "base/virial.hpp"
#include "electrons/waves/lattice.hpp"

namespace fg::ab_initio {

class IonMotion {
 public:
  /// Throws InputError if a setting of the bath, a constraint or the cell makes no sense.
  explicit IonMotion(const Job& job);

  /// Begins at these positions, with the velocities of the job (none: at rest), less the velocity
  /// of their centre of mass.
  void begin(std::span<const Vec3> positions);

  /// Takes them from a run that has been kept. Throws InputError if the state of the bath is not
  /// one of the job's.
  void restore(std::span<const Vec3> positions, std::span<const Vec3> velocities,
               const IonBathState& bath);
  void restore_cell(const electrons::Lattice& cell, const CellMotionState& state);
  IonBathState bath_state() const { return bath_->state(); }

  /// Makes half of the kick at step `step`, with the forces and the virial there. Then moves to the
  /// next positions and cell.
  void move(std::int64_t step, std::span<const Vec3> forces, const Virial& virial);
  /// Makes the other half, with the forces and the virial at the new positions.
  void kick(std::int64_t step, std::span<const Vec3> forces, const Virial& virial);

  const electrons::Lattice& cell() const noexcept { return lattice_; }
  /// Null if the cell rests.
  const CellMotion* moving_cell() const noexcept { return cell_ ? &*cell_ : nullptr; }
  /// The pressure of the ions and of everything else with this virial.
  double pressure(const Virial& virial) const noexcept;

  const std::vector<Vec3>& positions() const noexcept { return positions_; }
  const std::vector<Vec3>& velocities() const noexcept { return velocities_; }
  double kinetic_energy() const noexcept;
  /// k_B T of the degrees of freedom that move.
  double temperature() const noexcept;
  double bath_energy() const noexcept { return bath_->energy(); }
  /// The forces that keep the distances [constraints], with these forces of all else
  /// (motion/constraints/constraint_forces.hpp).
  std::vector<double> constraint_forces(std::span<const Vec3> forces) const;

 private:
  MovingIons ions() noexcept { return {job_.masses, positions_, velocities_}; }
  void make_baths();
  void push(std::span<const Vec3> forces) noexcept;
  void drift(std::int64_t step);

  const Job& job_;
  std::unique_ptr<IonBath> bath_;
  IonConstraints constraints_;
  std::optional<CellMotion> cell_;
  electrons::Lattice lattice_;
  std::vector<Vec3> positions_, velocities_;
  std::vector<Vec3> previous_;  // positions, before a drift with constraints
};

}  // namespace fg::ab_initio
