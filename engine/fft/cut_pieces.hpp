// SPDX-License-Identifier: BSD-3-Clause
//
// The numbers of a box as pieces, cut along x or y. A piece is dense and holds all fields of a
// batch, one after the other, as a parcel does. So a pass along the axis of the cuts that reads or
// writes pieces needs no packing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "fft/grid_box.hpp"

namespace fg::fft {

class CutPieces {
 public:
  /// `axis`: 0 or 1. Pieces are then added until they make the box.
  CutPieces(const GridBox& box, int axis) : box_(box), axis_(axis) {}

  /// Whether a part of the box is cut along the axis alone.
  bool fits(const GridBox& piece) const noexcept;
  /// A piece that fits, and the place of its first number, in elements.
  void add(const GridBox& piece, std::int32_t at);

  /// The points of the box along the axis.
  std::size_t points() const noexcept {
    return box_.empty() ? 0 : static_cast<std::size_t>(box_.size(axis_));
  }
  /// Where the elements of the first line along the axis are, the line with z = 0 of the box, in
  /// this field. If the axis is y, the line is in this plane of x. Writes as many places as the
  /// axis has points.
  void places(int field, int plane, std::int64_t* places) const noexcept;

 private:
  struct Piece {
    int begin, end;  // along the axis
    std::int32_t at;
    std::int32_t volume;  // of one field
  };

  GridBox box_;
  int axis_;
  std::vector<Piece> pieces_;
};

}  // namespace fg::fft
