// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/matrix_messages.hpp"

#include <array>
#include <complex>

#include "ab_initio/orders/messages.hpp"
#include "ab_initio/places/traffic_phases.hpp"
#include "ab_initio/places/ways_of_objects.hpp"

namespace fg::ab_initio {

using Complex = std::complex<double>;

void MatrixMessages::send_blocks(std::size_t vectors, std::size_t on_the_right) {
  std::vector<int> listening, own;
  for (int block = 0; block < basis_.blocks(); ++block)
    for (int chunk = 0; chunk < basis_.chunks(); ++chunk) {
      own.clear();
      for (int group = 0; group < basis_.pair_groups(); ++group)
        own.push_back(at_.pairs_at(block, group, chunk));
      listening = own;
      const int group = basis_.group_of(block);
      for (int other = 0; other < basis_.blocks(); ++other)
        listening.push_back(at_.pairs_at(other, group, chunk));
      const int from = at_.orbitals_at(block, basis_.part_of_chunk(chunk));
      const std::size_t vector = orbitals_of(block) * waves_of(chunk) * sizeof(Complex);
      messages_.multicast(traffic::blocks, from, listening,
                          body_bytes<BlockMessage>(vectors * vector));
      if (on_the_right > 0)
        messages_.multicast(traffic::blocks, from, own,
                            body_bytes<BlockMessage>(on_the_right * vector));
    }
}

void MatrixMessages::sum_overlaps() {
  std::vector<int> shares;
  const auto most = static_cast<std::size_t>(matrices_of_order(job_));
  for (const MatrixPiece& piece : pieces_.all()) {
    shares.clear();
    for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
      shares.push_back(at_.pairs_at(piece.block, piece.group, chunk));
    messages_.reduce(traffic::overlaps, shares, most * piece.share.numbers() + 1,
                     std::array{tile_at(piece.tile_row, piece.tile_column)});
  }
}

void MatrixMessages::send_products() {
  for (int block = 0; block < basis_.blocks(); ++block)
    for (int group = 0; group < basis_.pair_groups(); ++group)
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        messages_.send(
            traffic::products, at_.pairs_at(block, group, chunk),
            at_.orbitals_at(block, basis_.part_of_chunk(chunk)),
            body_bytes<ProductMessage>(orbitals_of(block) *
                                       (waves_of(chunk) * sizeof(Complex) + sizeof(double))));
}

std::size_t MatrixMessages::bytes_of_tile(int i, int j) const {
  return body_bytes<TileMessage>(tiles_.share(i, j).numbers() * sizeof(double));
}

void MatrixMessages::exchange() {
  for_each_tile([&](int i, int j) {
    if (i != j)
      messages_.send(traffic::between_tiles, tile_at(i, j), tile_at(j, i), bytes_of_tile(i, j));
  });
}

void MatrixMessages::gather(double count) {
  if (is_alone()) return;
  for_each_tile([&](int i, int j) {
    messages_.send(traffic::between_tiles, tile_at(i, j), at_.tiles.front(), bytes_of_tile(i, j),
                   count);
  });
}

void MatrixMessages::tell_tiles() {
  if (!is_alone()) messages_.multicast(traffic::between_tiles, at_.tiles.front(), at_.tiles, 0);
}

void MatrixMessages::sum_of_tiles() {
  if (!is_alone()) messages_.reduce(traffic::between_tiles, at_.tiles, 1, at_.tiles);
}

void MatrixMessages::multiply(Reading reading) {
  if (is_alone()) return;
  for_each_tile([&](int i, int j) {
    std::vector<int> row, column;
    for (int other = 0; other < side(); ++other) {
      row.push_back(tile_at(reading == Reading::transposed ? j : i, other));
      column.push_back(tile_at(other, j));
    }
    messages_.multicast(traffic::between_tiles, tile_at(i, j), row, bytes_of_tile(i, j));
    messages_.multicast(traffic::between_tiles, tile_at(i, j), column, bytes_of_tile(i, j));
  });
}

void MatrixMessages::send_root() {
  if (is_alone()) return send_whole(1);
  sum_of_tiles();
  exchange();
  send_tiles(1);
}

void MatrixMessages::send_tiles(std::size_t count) {
  if (listeners_of_tile_.empty()) {
    listeners_of_tile_.resize(at_.tiles.size());
    for (const MatrixPiece& piece : pieces_.all())
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        listeners_of_tile_[static_cast<std::size_t>(piece.tile_row * side() + piece.tile_column)]
            .push_back(at_.pairs_at(piece.block, piece.group, chunk));
  }
  for_each_tile([&](int i, int j) {
    messages_.along_tree(
        traffic::matrices, tile_at(i, j),
        listeners_of_tile_[static_cast<std::size_t>(i * side() + j)],
        body_bytes<MatrixMessage>(count * tiles_.share(i, j).numbers() * sizeof(double)));
  });
}

void MatrixMessages::send_whole(std::size_t count) {
  const auto n = static_cast<std::size_t>(basis_.orbitals());
  messages_.along_tree(traffic::matrices, at_.tiles.front(), at_.pairs,
                       body_bytes<MatrixMessage>(count * n * n * sizeof(double)));
}

}  // namespace fg::ab_initio
