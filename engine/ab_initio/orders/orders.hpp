// SPDX-License-Identifier: BSD-3-Clause
//
// The orders of the leader. It gives one after the other: the next one when the sums of the last
// one have arrived. Each order is an entry of every class that takes part in it, and the leader
// sends it to these classes only. An order without fields of its own is sent as its number.
#pragma once

#include <cstdint>
#include <span>

#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"
#include "transport/message.hpp"

namespace fg::ab_initio {

/// The pairs of steps and changes of the gradient that a search remembers.
inline constexpr int most_pairs = 4;

/// The steps of a dynamics of which orbitals may be remembered.
inline constexpr int most_past = 10;

/// Ions move to new positions, and the cell to these vectors. Nobody answers. Trailing: the
/// positions of all ions.
struct PlaceOrder : Message {
  std::int64_t placement;  // orders to place them, up to now
  electrons::Lattice cell;
};

struct OrderMessage : Message {
  std::int64_t number;  // of the order: sums for it are tagged with it
};

/// Orbitals of random numbers.
struct RandomOrder : OrderMessage {
  electrons::Lattice cell;
};

/// Orbitals of a file, with so many pairs of the search that they come from.
struct StoredOrder : OrderMessage {
  std::int32_t pairs;
};

/// A set of atomic orbitals, with random ones behind the last. Trailing: the positions of all ions.
struct AtomicOrder : OrderMessage {
  electrons::Lattice cell;
  std::int32_t set;
};

/// Products of one kept set with another and with H times it.
struct SubspaceOrder : OrderMessage {
  std::int32_t set, other;
};

/// Adds the part of the orbitals that a kept set has.
struct CombineOrder : OrderMessage {
  std::int32_t set;
};

/// Density, energies, H psi.
struct EvaluateOrder : OrderMessage {
  std::int64_t evaluation;  // orders to evaluate before this one
  std::int64_t placement;   // of the ions
  electrons::Lattice cell;
  bool free_atoms;  // with the density of free atoms
};

/// These orbitals, at the end of a step of this length, are where the next search begins.
struct AcceptOrder : OrderMessage {
  double length;
  std::int32_t pairs;  // that are remembered
};

/// d = -(scale K (g - sum of by_change y) + sum of by_step s), the newest pair first.
struct SearchDirection {
  std::int32_t pairs;
  double scale;
  double by_change[most_pairs], by_step[most_pairs];
};

/// The direction of a search, without its part in the space of the orbitals.
struct DirectionOrder : OrderMessage {
  SearchDirection direction;
};

/// Orthonormal orbitals at this length along the direction.
struct StepOrder : OrderMessage {
  double length;
  double spread;  // the highest eigenvalue of <d|d>
};

enum class Stress : std::int32_t { found, left_out };

/// Forces on ions, and stress unless it is left out.
struct ForcesOrder : OrderMessage {
  Stress stress;
};

/// Orbitals from those that are remembered: shares of these, the newest first.
struct PredictOrder : OrderMessage {
  std::int32_t past;
  double by_past[most_past];
};

/// Orbitals of a file, with all that a dynamics has of them.
struct ResumeOrder : OrderMessage {
  std::int32_t past;  // steps before
};

/// An order of a Car-Parrinello dynamics with matrices of all orbitals.
struct MotionOrder : OrderMessage {
  std::int64_t step;  // of the dynamics, for messages
};

/// Half a kick and a step: with forces of constraint, or of free orbitals.
struct DriftOrder : MotionOrder {
  double timestep;
  double velocity_scale;  // of the velocities before it
};

/// The force on free orbitals.
struct FreeForceOrder : MotionOrder {
  bool orthonormal;  // the free orbitals are the orthonormal ones
};

/// The other half of a kick, and kinetic energies.
struct KickOrder : OrderMessage {
  double timestep;
};

/// The positions behind an order.
template <class Order>
std::span<const Vec3> positions_of(const Order& order) noexcept {
  return {order.template trailing<Vec3>(), order.trailing_bytes() / sizeof(Vec3)};
}

}  // namespace fg::ab_initio
