// SPDX-License-Identifier: BSD-3-Clause
//
// What the objects of an ab initio run send to each other while they follow an order of the leader
// (orders.hpp).
#pragma once

#include <array>
#include <complex>
#include <cstdint>

#include "ab_initio/division/matrix_tiles.hpp"
#include "transport/message.hpp"

namespace fg::ab_initio {

/// Matrices with which orbitals are multiplied at once, each with vectors of its own.
inline constexpr std::size_t most_matrices = 2;

/// <a|b> of two vectors of blocks; half of the tiles are enough for a symmetric matrix.
struct Overlap {
  enum class Tiles : std::int32_t { half, all };
  std::int32_t a, b;
  Tiles tiles;
};

/// What pair calculators do with the blocks of an order.
struct BlockWork {
  std::int32_t count = 0;  // of overlaps
  std::array<Overlap, 3> overlaps{};
  std::int32_t on_the_right = 0;  // the last vectors, which stand on the right of overlaps only
  bool awaits_matrix = true;      // by which the others are multiplied
};

/// A block of orbitals, or more of them, for products of matrices. Trailing: `vectors` times
/// [orbitals][waves of a chunk] complex numbers. Vectors that stand on the right of overlaps only
/// are in a message of their own, which the other blocks do not get.
struct BlockMessage : Message {
  std::int64_t number;  // of the order
  BlockWork work;
  std::int32_t block;
  std::int32_t vectors;
  std::int32_t first;  // of the order's vectors; 0 but for those on the right only
};

/// Trailing: a tile of a matrix of all orbitals, by rows, or the whole of it. Orbitals are to be
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
