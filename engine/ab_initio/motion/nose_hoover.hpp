// SPDX-License-Identifier: BSD-3-Clause
//
// A chain of Nose and Hoover on a kinetic energy K with g degrees of freedom. The first link drags
// all velocities v. Each further link drags the one before it:
//   v' = a - v u_1,  u_1' = (2 K - g kT) / Q_1 - u_1 u_2,  u_j' = (Q_(j-1) u_(j-1)^2 - kT) / Q_j
//   - u_j u_(j+1),  x_j' = u_j,  with Q_1 = g kT t^2, Q_j = kT t^2 and the time constant t.
// K + potential + sum of Q_j u_j^2 / 2 + g kT x_1 + kT sum of the other x_j is conserved.
//
// For ions kT is that of the temperature. For orbitals with fictitious masses K is their fictitious
// kinetic energy, and g kT is twice the kinetic energy that is wanted. The division of this product
// into g and kT only sets the energy of the further links.
//
// Source: Martyna, Klein and Tuckerman, J. Chem. Phys. 97, 2635 (1992); the steps: Martyna,
// Tuckerman, Tobias and Klein, Mol. Phys. 87, 1117 (1996); on orbitals: Tuckerman and Parrinello,
// J. Chem. Phys. 101, 1302 (1994); weights of steps: Yoshida, Phys. Lett. A 150, 262 (1990). Units:
// Hartree atomic units.
#pragma once

#include <span>
#include <vector>

namespace fg {

struct NoseHooverSettings {
  double temperature = 0;         // k_B T
  double degrees_of_freedom = 0;  // g
  double time_constant = 0;
  int links = 4;
  int weights = 3;  // of Suzuki and Yoshida: 1, 3, 5 or 7 parts of each step
};

/// Settings for orbitals whose fictitious kinetic energy shall be `kinetic_energy` on average.
/// Throws InputError if it or g is not above 0.
NoseHooverSettings nose_hoover_of_orbitals(double kinetic_energy, double degrees_of_freedom,
                                           double time_constant, int links);

/// What a chain remembers, for checkpoints.
struct NoseHooverState {
  std::vector<double> positions, velocities;  // x and u of each link

  bool operator==(const NoseHooverState&) const = default;
};

/// Parts of a step whose sum is 1, the same forwards and backwards. Their error is of second order
/// for 1 part, fourth for 3 and 5, sixth for 7. Throws InputError for another number.
std::span<const double> suzuki_yoshida_weights(int parts);

class NoseHooverChain {
 public:
  /// Begins at rest. Throws InputError if a setting makes no sense.
  explicit NoseHooverChain(const NoseHooverSettings& settings);

  /// Moves the chain by `interval`. This is half a time step, once before the first kick of
  /// velocity Verlet and once after the last one. `kinetic_energy` is that before the move. All
  /// velocities have to be multiplied by the result, and so their kinetic energy by its square.
  ///
  /// The step is cut into parts, so that the second link acts by a small factor in each. Its
  /// velocity is at most about sqrt(2 g) / t, even far from the temperature. The number of parts
  /// depends on settings and interval alone. Throws NumericsError if the kinetic energy or the
  /// result is not finite.
  [[nodiscard]] double advance(double kinetic_energy, double interval);

  /// What has to be added to kinetic and potential energy for a conserved sum; 0 at the start.
  double energy() const noexcept;

  const NoseHooverState& state() const noexcept { return state_; }
  /// Throws InputError if the state has another number of links, or a number that is not finite.
  void restore(NoseHooverState state);

 private:
  void push(std::size_t link, double kinetic_energy, double time) noexcept;
  int substeps(double interval) const noexcept;

  NoseHooverSettings settings_;
  std::span<const double> weights_;
  std::vector<double> masses_;  // Q
  NoseHooverState state_;
};

}  // namespace fg
