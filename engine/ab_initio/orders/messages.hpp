// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of an ab initio run send to each other. Orders come from the leader, one after
// the other: the next one is given when the sums of the last one have arrived.
#pragma once

#include <complex>
#include <cstdint>
#include <span>

#include "ab_initio/division/matrix_tiles.hpp"
#include "base/vec3.hpp"
#include "electrons/waves/lattice.hpp"
#include "transport/message.hpp"

namespace fg::ab_initio {

enum class Order : std::int32_t {
  place,     // ions move to new positions: trailing; and the cell, if it is another one
  random,    // orbitals of random numbers
  last,      // the orbitals with which the last run has ended
  stored,    // orbitals of a file, with `pairs` of the search that they come from
  atomic,    // a set of atomic orbitals, with random ones behind the last; trailing: positions
  keep,      // of this set and of H times it
  subspace,  // products of one kept set with another and with H times it
  combine,   // adds the part of the orbitals that a kept set has
  orthonormalise,
  turn,       // into those of which each has an energy of its own: eigenvectors of <psi|H|psi>
  evaluate,   // density, energies, H psi
  gradient,   // H psi - psi <psi|H|psi>
  accept,     // these orbitals are where the next search begins
  direction,  // of the search, without its part in the space of the orbitals
  step,       // orthonormal orbitals along the direction
  forces,     // on ions, and stress unless it is left out
  remember,   // these orbitals, of a step of a dynamics
  predict,    // orbitals from those that are remembered
  resume,     // orbitals of a file, with all that a dynamics has of them; `past` of steps before
  // Orders of a Car-Parrinello dynamics, in which the orbitals of an evaluation are those that
  // move, or follow from free ones.
  rest,        // it begins with these orbitals, without velocities
  drift,       // half a kick and a step, with forces of constraint
  free_drift,  // the same of free orbitals, and orthonormal ones from them
  free_force,  // on free orbitals
  kick,        // the other half of a kick, and kinetic energies
  project,     // what the constraint takes from the kinetic energy
  reset,       // free orbitals become the orthonormal ones, with their velocities
  finish,      // lives end
};

/// Whether it is an order of a Car-Parrinello dynamics with matrices of all orbitals.
constexpr bool is_of_motion(Order order) noexcept {
  switch (order) {
    case Order::drift:
    case Order::free_drift:
    case Order::free_force:
    case Order::project:
    case Order::reset:
      return true;
    default:
      return false;
  }
}

enum class Stress : std::int32_t { found, left_out };

/// Matrices with which orbitals are multiplied at once, each with vectors of its own.
inline constexpr std::size_t most_matrices = 2;

/// The pairs of steps and changes of the gradient that a search remembers.
inline constexpr int most_pairs = 4;

/// The steps of a dynamics of which orbitals may be remembered.
inline constexpr int most_past = 10;

/// Trailing, of some orders: the positions of all ions.
struct OrderMessage : Message {
  std::int64_t number;      // of the order
  std::int64_t placement;   // of ions: orders to place them, up to now
  std::int64_t evaluation;  // orders to evaluate before this one
  electrons::Lattice cell;
  Order order;
  std::int32_t pairs;         // remembered ones
  std::int32_t set, other;    // of atomic orbitals
  bool free_atoms;            // evaluate: with the density of free atoms
  double length;              // of a step, of the step that is accepted
  double spread;              // step: the highest eigenvalue of <d|d>
  double timestep;            // drift, kick
  double velocity_scale;      // drift: of the velocities before it
  std::int64_t step;          // of the dynamics that gives it; negative: none
  std::int32_t past;          // predict, resume: steps
  double by_past[most_past];  // predict: shares of their orbitals, the newest first
  Stress stress;              // forces
  bool orthonormal;           // free_force: the free orbitals are the orthonormal ones
  /// direction: d = -(scale K (g - sum of by_change y) + sum of by_step s), the newest pair first.
  double scale;
  double by_change[most_pairs], by_step[most_pairs];
};

inline std::span<const Vec3> positions_of(const OrderMessage& order) noexcept {
  return {order.trailing<Vec3>(), order.trailing_bytes() / sizeof(Vec3)};
}

/// A block of orbitals, or more of them, for products of matrices. Trailing: `vectors` times
/// [orbitals][waves of a chunk] complex numbers. Vectors that stand on the right of overlaps only
/// are in a message of their own, which the other blocks do not get.
struct BlockMessage : Message {
  std::int64_t number;  // of the order
  Order order;
  std::int32_t block;
  std::int32_t vectors;
  std::int32_t first;  // of the order's vectors; 0 but for those on the right only
};

/// The vectors of an order that stand on the right of overlaps only.
constexpr int vectors_on_the_right(Order order) noexcept {
  switch (order) {
    case Order::gradient:
      return 1;
    case Order::subspace:
    case Order::project:
      return 2;
    default:
      return 0;
  }
}

/// Trailing: a tile of a matrix of all orbitals, by rows, or the whole of it; orbitals are to be
/// multiplied by its columns. If there are two, one after the other, each is for its own vectors of
/// the block.
struct MatrixMessage : Message {
  double top;  // gradient: the highest eigenvalue of the matrix
  std::int32_t matrices;
  MatrixShare share;
};

/// Tile (0, 0) sends what it has found in a dynamics.
struct MotionReport : Message {
  double deviation;  // the largest component of overlaps less 1
  double kinetic;    // that the constraint takes away
  std::int32_t iterations;
};

/// Tile (0, 0) sends it. Trailing: the energies of the orbitals, rising for each spin.
struct OrbitalEnergiesMessage : Message {};

/// Tiles send it to each other. Trailing: a tile, by rows.
struct TileMessage : Message {
  std::int32_t place;  // among the factors of a product
  MatrixShare share;
};

/// A part of a sum of blocks times columns of a matrix. Trailing: [orbitals][waves of the chunk];
/// of a gradient then the energy of each orbital below the highest one.
struct ProductMessage : Message {
  std::int32_t group;
  std::int32_t chunk;  // among those of the part
};

/// Sums of the density over blocks are exact: numbers are rounded once, to 2.2e-16
/// electrons/bohr^3. A sum may reach 2048.
inline constexpr double density_scale = 4503599627370496.0;  // 2^52

/// The potential at the points of a part of the density. Trailing: real numbers, row by row.
struct PotentialMessage : Message {
  std::int32_t part;
};

}  // namespace fg::ab_initio
