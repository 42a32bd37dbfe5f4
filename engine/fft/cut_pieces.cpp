// SPDX-License-Identifier: BSD-3-Clause
#include "fft/cut_pieces.hpp"

namespace fg::fft {

bool CutPieces::fits(const GridBox& piece) const noexcept {
  for (int axis = 0; axis < 3; ++axis)
    if (axis != axis_ && piece.range(axis) != box_.range(axis)) return false;
  return true;
}

void CutPieces::add(const GridBox& piece, std::int32_t at) {
  pieces_.push_back({piece.low[axis_] - box_.low[axis_], piece.high[axis_] - box_.low[axis_], at,
                     static_cast<std::int32_t>(piece.volume())});
}

void CutPieces::places(int field, int plane, std::int64_t* places) const noexcept {
  const std::int32_t apart = axis_ == 1 ? box_.size(2) : box_.size(1) * box_.size(2);
  for (const Piece& piece : pieces_) {
    std::int32_t at = piece.at + field * piece.volume;
    if (axis_ == 1) at += plane * (piece.end - piece.begin) * apart;
    for (int k = piece.begin; k < piece.end; ++k, at += apart) places[k] = at;
  }
}

}  // namespace fg::fft
