// SPDX-License-Identifier: BSD-3-Clause
#include "ab_initio/division/matrix_tiles.hpp"

#include <algorithm>

namespace fg::ab_initio {

namespace {

fft::Range common(const fft::Range& a, const fft::Range& b) noexcept {
  const int begin = std::max(a.begin, b.begin);
  return {begin, std::max(begin, std::min(a.end, b.end))};
}

/// Calls visit(number in the tile, number of the transpose in the tile across) for each number in
/// `part`. In a tile on the diagonal it visits only what is below the diagonal.
template <class Visit>
void for_each_pair(const MatrixShare& tile, const MatrixShare& part, const Visit& visit) {
  const bool diagonal = tile.rows == tile.columns;
  const auto rows = static_cast<std::size_t>(tile.rows.size());
  const auto columns = static_cast<std::size_t>(tile.columns.size());
  for (int i = part.rows.begin; i < part.rows.end; ++i) {
    const int end = diagonal ? std::min(part.columns.end, i) : part.columns.end;
    for (int k = part.columns.begin; k < end; ++k) {
      const auto row = static_cast<std::size_t>(i - tile.rows.begin);
      const auto column = static_cast<std::size_t>(k - tile.columns.begin);
      visit(row * columns + column, column * rows + row);
    }
  }
}

}  // namespace

MatrixShare common(const MatrixShare& a, const MatrixShare& b) noexcept {
  return {common(a.rows, b.rows), common(a.columns, b.columns)};
}

MatrixShare share_of(const Basis& basis, const fft::Range& blocks, int block) noexcept {
  return {{basis.block(blocks.begin).begin, basis.block(blocks.end - 1).end}, basis.block(block)};
}

MatrixTiles::MatrixTiles(int orbitals, int grain) noexcept
    : orbitals_(orbitals), grain_(grain > 0 ? std::min(grain, orbitals) : orbitals) {}

fft::Range MatrixTiles::range(int place) const noexcept {
  return {place * grain_, std::min((place + 1) * grain_, orbitals_)};
}

fft::Range MatrixTiles::touched(const fft::Range& orbitals) const noexcept {
  return {orbitals.begin / grain_, (orbitals.end - 1) / grain_ + 1};
}

MatrixPieces::MatrixPieces(const Basis& basis, int groups, const MatrixTiles& tiles)
    : groups_(groups) {
  for (int block = 0; block < basis.blocks(); ++block)
    for (int group = 0; group < groups; ++group) {
      first_.push_back(static_cast<int>(pieces_.size()));
      const MatrixShare all = share_of(basis, fft::share(basis.blocks(), groups, group), block);
      const fft::Range i = tiles.touched(all.rows), j = tiles.touched(all.columns);
      for (int row = i.begin; row < i.end; ++row)
        for (int column = j.begin; column < j.end; ++column)
          pieces_.push_back({.block = block,
                             .group = group,
                             .tile_row = row,
                             .tile_column = column,
                             .share = {common(all.rows, tiles.range(row)),
                                       common(all.columns, tiles.range(column))}});
    }
  first_.push_back(static_cast<int>(pieces_.size()));
}

fft::Range MatrixPieces::of(int block, int group) const noexcept {
  const auto place = static_cast<std::size_t>(block * groups_ + group);
  return {first_[place], first_[place + 1]};
}

int MatrixPieces::count_of_tile(int i, int j) const noexcept {
  return static_cast<int>(std::count_if(pieces_.begin(), pieces_.end(), [&](const auto& piece) {
    return piece.tile_row == i && piece.tile_column == j;
  }));
}

void fill_in(const Basis& basis, const MatrixShare& share, std::span<double> tile,
             std::span<const double> across) noexcept {
  const bool diagonal = share.rows == share.columns;
  for (int a = 0; a < basis.blocks(); ++a)
    for (int b = 0; b < basis.blocks(); ++b) {
      const MatrixShare part{common(basis.block(a), share.rows),
                             common(basis.block(b), share.columns)};
      if (part.rows.size() <= 0 || part.columns.size() <= 0) continue;
      const bool computed = computes_tile(a, b, basis.blocks());
      for_each_pair(share, part, [&](std::size_t here, std::size_t there) {
        const double value = a == b     ? (tile[here] + across[there]) / 2
                             : computed ? tile[here]
                                        : across[there];
        tile[here] = value;
        if (diagonal) tile[there] = value;
      });
    }
}

void average_halves(const MatrixShare& share, std::span<double> tile,
                    std::span<const double> across) noexcept {
  const bool diagonal = share.rows == share.columns;
  for_each_pair(share, share, [&](std::size_t here, std::size_t there) {
    const double value = (tile[here] + across[there]) / 2;
    tile[here] = value;
    if (diagonal) tile[there] = value;
  });
}

}  // namespace fg::ab_initio
