// SPDX-License-Identifier: BSD-3-Clause
//
// What is sent for matrices of all orbitals: blocks, their overlaps, tiles, and products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/places/object_processes.hpp"
#include "ab_initio/places/process_messages.hpp"

namespace fg::ab_initio {

class MatrixMessages {
 public:
  enum class Reading : std::uint8_t { as_stored, transposed };

  /// All of them must outlive it; what is sent is added to `messages`.
  MatrixMessages(const Job& job, const Basis& basis, const MatrixTiles& tiles,
                 const ObjectProcesses& at, ProcessMessages& messages)
      : job_(job),
        basis_(basis),
        tiles_(tiles),
        at_(at),
        messages_(messages),
        pieces_(basis, basis.pair_groups(), tiles) {}

  bool is_alone() const noexcept { return tiles_.side() == 1; }

  /// So many vectors to all pair calculators that need the block, and others to those of its
  /// columns only.
  void send_blocks(std::size_t vectors, std::size_t on_the_right);
  void sum_overlaps();
  void send_products();

  /// With the tile across the diagonal.
  void exchange();
  /// To the first tile.
  void gather(double count);
  /// The highest eigenvalue from the first tile.
  void tell_tiles();
  /// A number of each tile, for all of them.
  void sum_of_tiles();
  /// Each tile sends a factor along a row and one along its column.
  void multiply(Reading reading);

  /// The inverse square root, whose rounds are counted apart; by the first tile if it is alone.
  void send_root();
  /// Tiles of so many matrices to the pair calculators that need them.
  void send_tiles(std::size_t count);
  /// Whole matrices from the first tile to all pair calculators.
  void send_whole(std::size_t count);

 private:
  std::size_t waves_of(int chunk) const {
    return static_cast<std::size_t>(basis_.waves_of_chunk(chunk).size());
  }
  std::size_t orbitals_of(int block) const {
    return static_cast<std::size_t>(basis_.block(block).size());
  }
  int side() const noexcept { return tiles_.side(); }
  int tile_at(int i, int j) const { return at_.tiles[static_cast<std::size_t>(i * side() + j)]; }
  std::size_t bytes_of_tile(int i, int j) const;
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    for (int i = 0; i < side(); ++i)
      for (int j = 0; j < side(); ++j) visit(i, j);
  }

  const Job& job_;
  const Basis& basis_;
  const MatrixTiles& tiles_;
  const ObjectProcesses& at_;
  ProcessMessages& messages_;
  MatrixPieces pieces_;
  std::vector<std::vector<int>> listeners_of_tile_;
};

}  // namespace fg::ab_initio
