// SPDX-License-Identifier: BSD-3-Clause
//
// A cell that moves under a constant outer pressure, for ions in plain arrays. Positions are
// r = sum of s_i a_i, with the vectors a_i of the cell. Velocities v = sum of ds_i/dt a_i are
// relative to the cell. The Hamiltonian is
//   H = sum m v^2 / 2 + W/2 sum of |da_i/dt|^2 + E(s, a) + p V.
// So the vectors of the cell move by
//   W d2a_i/dt2 = (t + w - p V) b_i,
// where b_i . a_k = 1 for i = k and 0 otherwise. The virial is w = -dE/dstrain, and the tensor is
// t = sum of m v v.
//
// A step of velocity Verlet is a product of exact steps of parts of H, forward and back:
// - half a kick by E + p V;
// - half a step of the cell, in which s and the momenta of s stay;
// - the kinetic energy of the ions: they drift while the cell rests, and push it;
// - the other half of the cell;
// - after new forces, the other half of the kick.
// So it is symplectic, of second order, and goes back the way it came.
//
// Plane waves make no difference to it. The norm of an orbital is 1 in V^(-1/2) exp(i G . r). So
// its coefficients, their overlaps and their fictitious kinetic energy do not depend on the cell.
//
// The cell may keep its shape (one factor for all vectors), its angles (a factor for each vector),
// or nothing. These are linear spaces of the nine components, onto which forces are projected. With
// all nine the angular momentum of the cell, sum of a_i x da_i/dt, stays 0.
//
// Friction slows the cell down for relaxation: velocities decay by exp(-friction t), and the heat
// is counted.
//
// Source: Parrinello and Rahman, J. Appl. Phys. 52, 7182 (1981); one factor: Andersen, J. Chem.
// Phys. 72, 2384 (1980); with moving orbitals: Focher, Chiarotti, Bernasconi, Tosatti and
// Parrinello, Europhys. Lett. 26, 345 (1994). Units: Hartree atomic units.
#pragma once

#include <array>
#include <span>

#include "ab_initio/motion/ion_bath.hpp"
#include "base/box.hpp"
#include "base/virial.hpp"

namespace fg {

/// What changes of a cell.
enum class MovingCell { nothing, isotropic, lengths, full };

struct CellSettings {
  MovingCell moves = MovingCell::nothing;
  double pressure = 0;  // from outside
  double mass = 0;      // W
  double friction = 0;  // over time
};

/// What a moving cell remembers besides its vectors, for checkpoints.
struct CellMotionState {
  CellVectors velocities{};
  double heat = 0;  // that friction has taken

  bool operator==(const CellMotionState&) const = default;
};

/// The mass with which a cubic cell swings once while a sound wave crosses it:
///   W = 3 M / (4 pi^2),  M the mass of all ions.
/// It does not depend on the material. The period of the cell is 2 pi (W / (3 B L))^(1/2), and the
/// time of the sound is L (M / (B L^3))^(1/2). Both fall with the root of the bulk modulus B.
/// Andersen (1980) asks for this period.
double cell_mass_of_sound(double mass_of_ions) noexcept;

/// Around the rest position, of a cell with this edge (the cube root of its volume) and material.
double cell_period(double cell_mass, double edge, double bulk_modulus) noexcept;

class CellMotion {
 public:
  /// Begins at rest. Throws InputError if a setting makes no sense.
  CellMotion(const CellSettings& settings, const CellVectors& vectors);
  /// Throws InputError if the state is not finite.
  void restore(const CellVectors& vectors, const CellMotionState& state);

  /// Kick by energy and outer pressure.
  void kick(const Virial& virial, double time) noexcept;
  /// Push by the kinetic energy of the ions, whose velocities stay.
  void push(const MovingIons& ions, double time) noexcept;
  /// The cell moves, with positions and velocities of the ions.
  void stretch(const MovingIons& ions, double time) noexcept;
  /// Friction.
  void slow_down(double time) noexcept;

  const CellVectors& vectors() const noexcept { return vectors_; }
  const CellMotionState& state() const noexcept { return state_; }
  double volume() const noexcept;
  double kinetic_energy() const noexcept;
  /// p V, and the heat that friction has taken: with them the sum of energies is conserved.
  double work() const noexcept;
  double heat() const noexcept { return state_.heat; }

 private:
  void add_force(const CellVectors& tensor, double time) noexcept;

  CellSettings settings_;
  CellVectors start_;  // lengths and size are factors of these
  CellVectors vectors_;
  CellMotionState state_;
};

/// sum of m v v, in the order of the ions.
Virial kinetic_tensor(const MovingIons& ions) noexcept;

}  // namespace fg
