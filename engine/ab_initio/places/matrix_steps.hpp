// SPDX-License-Identifier: BSD-3-Clause
//
// What objects send and compute for matrices of all orbitals: blocks, their overlaps, tiles, and
// products.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "ab_initio/division/basis.hpp"
#include "ab_initio/division/matrix_tiles.hpp"
#include "ab_initio/job/job.hpp"
#include "ab_initio/orders/messages.hpp"
#include "ab_initio/places/object_numbers.hpp"
#include "ab_initio/places/order_visitor.hpp"

namespace fg::ab_initio {

class MatrixSteps {
 public:
  enum class Reading : std::uint8_t { as_stored, transposed };

  /// All of them must outlive it. The iteration in which all tiles find an inverse square root has
  /// so many rounds.
  MatrixSteps(const Job& job, const Basis& basis, const MatrixTiles& tiles, const ObjectNumbers& at,
              OrderVisitor& visitor, int rounds)
      : job_(job),
        basis_(basis),
        tiles_(tiles),
        at_(at),
        visitor_(visitor),
        pieces_(basis, basis.pair_groups(), tiles),
        rounds_(rounds) {}

  bool is_alone() const noexcept { return tiles_.side() == 1; }

  /// So many vectors to all pair calculators that need the block, and others to those of its
  /// columns only.
  void send_blocks(std::size_t vectors, std::size_t on_the_right);
  /// Pair calculators find the overlaps of their blocks, and tiles get the sums.
  void sum_overlaps(const BlockWork& work);
  /// Pair calculators multiply by so many matrices, and orbitals get the products.
  void send_products(int matrices);

  /// With the tile across the diagonal.
  void exchange();
  /// To the first tile.
  void gather(int count);
  /// The first tile finds eigenvalues, or does so many products of whole matrices.
  void find_eigenvalues();
  void multiply_whole(int products);
  /// The highest eigenvalue from the first tile.
  void tell_tiles();
  /// A number of each tile, for all of them.
  void sum_of_tiles();
  /// Each tile sends a factor along a row and one along its column, and multiplies.
  void multiply(Reading reading);
  /// One of the rounds.
  void round();

  /// The inverse square root; by the first tile if it is alone.
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
  int first_tile() const { return at_.tiles.front(); }
  std::size_t bytes_of_tile(int i, int j) const;
  template <class Visit>
  void for_each_tile(const Visit& visit) const {
    for (int i = 0; i < side(); ++i)
      for (int j = 0; j < side(); ++j) visit(i, j);
  }
  /// Calls visit(object, its rows of the same spin, those of them whose overlaps it computes,
  /// block, chunk) for all pair calculators.
  template <class Visit>
  void for_each_of_pairs(const Visit& visit) const;

  const Job& job_;
  const Basis& basis_;
  const MatrixTiles& tiles_;
  const ObjectNumbers& at_;
  OrderVisitor& visitor_;
  MatrixPieces pieces_;
  int rounds_;
  std::vector<std::vector<int>> listeners_of_tile_;
};

}  // namespace fg::ab_initio
