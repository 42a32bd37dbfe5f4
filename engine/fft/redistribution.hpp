// SPDX-License-Identifier: BSD-3-Clause
//
// From one division of a grid to another: which points go to which rank, and their packing. Points
// of a piece travel in row-major order of the piece.
#pragma once

#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "fft/decomposition.hpp"
#include "fft/layout.hpp"

namespace fg::fft {

/// The points that one rank exchanges with another.
struct Piece {
  int rank;
  GridBox box;
};

/// As one rank sees it. No piece is empty. `sends` and `receives` do not hold the own rank.
struct Redistribution {
  GridBox kept;                 // stays here
  std::vector<Piece> sends;     // in ascending order of (rank - own rank) modulo ranks, so that
  std::vector<Piece> receives;  // ranks do not all send to the same one at a time
};

Redistribution redistribute(std::span<const GridBox> from, std::span<const GridBox> to, int rank);

/// Copies the points of `piece` between two arrays in which it lies, rounded if `To` is shorter.
template <class From, class To>
void copy_piece(const GridBox& piece, const From* from, const Layout& from_layout, To* to,
                const Layout& to_layout) noexcept;

/// The same, with numbers that have been rounded to `Through` and back.
template <class Through, class T>
void copy_rounded(const GridBox& piece, const T* from, const Layout& from_layout, T* to,
                  const Layout& to_layout) noexcept;

}  // namespace fg::fft
