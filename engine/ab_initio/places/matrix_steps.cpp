// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/places/matrix_steps.hpp"

#include <array>
#include <complex>
#include <span>

#include "ab_initio/division/costs.hpp"
#include "ab_initio/places/message_bytes.hpp"
#include "ab_initio/places/traffic_phases.hpp"
#include "ab_initio/places/ways_of_objects.hpp"

namespace fg::ab_initio {

using Complex = std::complex<double>;

namespace {
constexpr int products_of_round = 3;
}

template <class Visit>
void MatrixSteps::for_each_of_pairs(const Visit& visit) const {
  for (int b = 0; b < basis_.blocks(); ++b)
    for (int c = 0; c < basis_.pair_groups(); ++c) {
      int all = 0, half = 0;
      const fft::Range group = basis_.group(c);
      for (int a = group.begin; a < group.end; ++a) {
        if (basis_.spin_of(a) != basis_.spin_of(b)) continue;
        all += basis_.block(a).size();
        if (computes_tile(a, b, basis_.blocks())) half += basis_.block(a).size();
      }
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        visit(at_.pairs_at(b, c, chunk), all, half, b, chunk);
    }
}

void MatrixSteps::send_blocks(std::size_t vectors, std::size_t on_the_right) {
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
      visitor_.multicast(traffic::blocks, from, listening,
                         body_bytes<BlockMessage>(vectors * vector));
      if (on_the_right > 0)
        visitor_.multicast(traffic::blocks, from, own,
                           body_bytes<BlockMessage>(on_the_right * vector));
    }
}

void MatrixSteps::sum_overlaps(const BlockWork& work) {
  visitor_.go_on(at_.pairs);
  for_each_of_pairs([&](int object, int all, int half, int block, int chunk) {
    int rows = 0;
    for (const Overlap& one : std::span(work.overlaps).first(static_cast<std::size_t>(work.count)))
      rows += one.tiles == Overlap::Tiles::half ? half : all;
    visitor_.compute(object, Work::products,
                     block_product(rows, basis_.block(block).size(), waves_of(chunk)));
  });
  std::vector<int> shares;
  const auto most = static_cast<std::size_t>(matrices_of_order(job_));
  for (const MatrixPiece& piece : pieces_.all()) {
    shares.clear();
    for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
      shares.push_back(at_.pairs_at(piece.block, piece.group, chunk));
    visitor_.reduce(traffic::overlaps, shares, most * piece.share.numbers() + 1,
                    std::array{tile_at(piece.tile_row, piece.tile_column)},
                    OrderVisitor::Sum::in_order);
  }
  visitor_.go_on(at_.tiles);
}

void MatrixSteps::send_products(int matrices) {
  visitor_.go_on(at_.pairs);
  for_each_of_pairs([&](int object, int all, int, int block, int chunk) {
    visitor_.compute(object, Work::products,
                     block_product(matrices * all, basis_.block(block).size(), waves_of(chunk)));
    visitor_.send(traffic::products, object, at_.orbitals_at(block, basis_.part_of_chunk(chunk)),
                  body_bytes<ProductMessage>(orbitals_of(block) *
                                             (waves_of(chunk) * sizeof(Complex) + sizeof(double))),
                  1);
  });
  visitor_.go_on(at_.orbitals);
}

std::size_t MatrixSteps::bytes_of_tile(int i, int j) const {
  return body_bytes<TileMessage>(tiles_.share(i, j).numbers() * sizeof(double));
}

void MatrixSteps::exchange() {
  for_each_tile([&](int i, int j) {
    if (i != j)
      visitor_.send(traffic::between_tiles, tile_at(i, j), tile_at(j, i), bytes_of_tile(i, j), 1);
  });
  visitor_.go_on(at_.tiles);
}

void MatrixSteps::gather(int count) {
  if (is_alone()) return;
  for_each_tile([&](int i, int j) {
    visitor_.send(traffic::between_tiles, tile_at(i, j), first_tile(), bytes_of_tile(i, j), count);
  });
  visitor_.go_on(at_.tiles);
}

void MatrixSteps::find_eigenvalues() {
  visitor_.compute(first_tile(), Work::other, eigenvalues_of(basis_.orbitals()));
}

void MatrixSteps::multiply_whole(int products) {
  const auto n = static_cast<std::size_t>(tiles_.orbitals());
  visitor_.compute(first_tile(), Work::products, products * matrix_product(n, n, n));
}

void MatrixSteps::tell_tiles() {
  if (is_alone()) return;
  visitor_.multicast(traffic::between_tiles, first_tile(), at_.tiles, 0);
  visitor_.go_on(at_.tiles);
}

void MatrixSteps::sum_of_tiles() {
  if (is_alone()) return;
  visitor_.reduce(traffic::between_tiles, at_.tiles, 1, at_.tiles, OrderVisitor::Sum::in_order);
  visitor_.go_on(at_.tiles);
}

void MatrixSteps::multiply(Reading reading) {
  if (!is_alone())
    for_each_tile([&](int i, int j) {
      std::vector<int> row, column;
      for (int other = 0; other < side(); ++other) {
        row.push_back(tile_at(reading == Reading::transposed ? j : i, other));
        column.push_back(tile_at(other, j));
      }
      visitor_.multicast(traffic::between_tiles, tile_at(i, j), row, bytes_of_tile(i, j));
      visitor_.multicast(traffic::between_tiles, tile_at(i, j), column, bytes_of_tile(i, j));
    });
  visitor_.go_on(at_.tiles);
  const auto n = static_cast<std::size_t>(tiles_.orbitals());
  for_each_tile([&](int i, int j) {
    const MatrixShare share = tiles_.share(i, j);
    visitor_.compute(tile_at(i, j), Work::products,
                     matrix_product(static_cast<std::size_t>(share.rows.size()),
                                    static_cast<std::size_t>(share.columns.size()), n));
  });
}

void MatrixSteps::round() {
  for (int product = 0; product < products_of_round; ++product) multiply(Reading::as_stored);
  sum_of_tiles();
}

void MatrixSteps::send_root() {
  if (is_alone()) {
    multiply_whole(products_of_round * rounds_);
    return send_whole(1);
  }
  sum_of_tiles();
  for (int done = 0; done < rounds_; ++done) round();
  exchange();
  send_tiles(1);
}

void MatrixSteps::send_tiles(std::size_t count) {
  if (listeners_of_tile_.empty()) {
    listeners_of_tile_.resize(at_.tiles.size());
    for (const MatrixPiece& piece : pieces_.all())
      for (int chunk = 0; chunk < basis_.chunks(); ++chunk)
        listeners_of_tile_[static_cast<std::size_t>(piece.tile_row * side() + piece.tile_column)]
            .push_back(at_.pairs_at(piece.block, piece.group, chunk));
  }
  for_each_tile([&](int i, int j) {
    visitor_.along_tree(
        traffic::matrices, tile_at(i, j),
        listeners_of_tile_[static_cast<std::size_t>(i * side() + j)],
        body_bytes<MatrixMessage>(count * tiles_.share(i, j).numbers() * sizeof(double)));
  });
}

void MatrixSteps::send_whole(std::size_t count) {
  const auto n = static_cast<std::size_t>(basis_.orbitals());
  visitor_.along_tree(traffic::matrices, first_tile(), at_.pairs,
                      body_bytes<MatrixMessage>(count * n * n * sizeof(double)));
}

}  // namespace fg::ab_initio
