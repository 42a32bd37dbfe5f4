// SPDX-License-Identifier: BSD-3-Clause
//
// The square matrices of all orbitals, such as <psi|H|psi>, in tiles. Their numbers come from the
// pair calculators in pieces. The overlaps of a group of blocks with one block cover parts of one
// or more tiles. Rows and columns are orbitals.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "fft/partition.hpp"

namespace fg::ab_initio {

/// Rows and columns of a matrix.
struct MatrixShare {
  fft::Range rows, columns;

  std::size_t numbers() const noexcept {
    return static_cast<std::size_t>(rows.size()) * static_cast<std::size_t>(columns.size());
  }
};

/// What both have; empty if they have nothing in common.
MatrixShare common(const MatrixShare& a, const MatrixShare& b) noexcept;

/// The rows of these blocks and the columns of one block: what a pair calculator has.
MatrixShare share_of(const Basis& basis, const fft::Range& blocks, int block) noexcept;

class MatrixTiles {
 public:
  /// Tiles of `grain` x `grain`, the last of a side maybe smaller; grain 0: one tile.
  MatrixTiles(int orbitals, int grain) noexcept;

  int orbitals() const noexcept { return orbitals_; }
  /// Tiles along a side.
  int side() const noexcept { return (orbitals_ + grain_ - 1) / grain_; }
  /// The orbitals of a row or column of tiles.
  fft::Range range(int place) const noexcept;
  MatrixShare share(int i, int j) const noexcept { return {range(i), range(j)}; }
  /// The rows or columns of tiles that have some of these orbitals.
  fft::Range touched(const fft::Range& orbitals) const noexcept;

 private:
  int orbitals_, grain_;
};

/// What a pair calculator has of a tile.
struct MatrixPiece {
  int block, group;
  int tile_row, tile_column;
  MatrixShare share;
};

/// The pieces of all pair calculators of one part: by block, group, rows of tiles, columns.
class MatrixPieces {
 public:
  MatrixPieces() = default;
  MatrixPieces(const Basis& basis, int groups, const MatrixTiles& tiles);

  std::span<const MatrixPiece> all() const noexcept { return pieces_; }
  /// The numbers of those of a pair calculator.
  fft::Range of(int block, int group) const noexcept;
  /// How many a tile gets.
  int count_of_tile(int i, int j) const noexcept;

 private:
  int groups_ = 1;
  std::vector<MatrixPiece> pieces_;
  std::vector<int> first_;
};

/// Only half of the tiles of a symmetric matrix of overlaps are computed. Each block has the tiles
/// with about half of the others.
constexpr bool computes_tile(int a, int b, int blocks) noexcept {
  const int ahead = (b - a + blocks) % blocks;
  return 2 * ahead < blocks || (2 * ahead == blocks && a < b);
}

/// Makes a tile of a symmetric matrix whole. Two blocks are each other's transpose, and only one
/// has been computed (computes_tile). `across` is the tile at the other side of the diagonal, by
/// its own rows. For a tile on the diagonal, `across` is the tile itself. The matrix becomes
/// exactly symmetric.
void fill_in(const Basis& basis, const MatrixShare& share, std::span<double> tile,
             std::span<const double> across) noexcept;
/// The mean of a tile and its transpose: exactly symmetric.
void average_halves(const MatrixShare& share, std::span<double> tile,
                    std::span<const double> across) noexcept;

}  // namespace fg::ab_initio
