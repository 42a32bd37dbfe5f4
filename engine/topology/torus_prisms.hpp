// SPDX-License-Identifier: BSD-3-Clause
//
// A torus tiled by prisms that span its third side. Bohm et al., IBM J. Res. Dev. 52, 159 (2008),
// place parts of orbitals in this way. What belongs to one plane stays in one prism. What belongs
// to one orbital stays in a layer across the prisms. Nodes are numbered with the first side
// fastest.
#pragma once

#include <array>

namespace fg {

class TorusPrisms {
 public:
  /// Invalid if the first two sides cannot be tiled by equal rectangles of this number.
  constexpr TorusPrisms(std::array<int, 3> sides, int prisms) noexcept : sides_(sides) {
    const int area = sides[0] * sides[1];
    if (prisms < 1 || area % prisms != 0) return;
    // As square as possible.
    for (int width = 1; width <= sides[0]; ++width) {
      const int height = area / prisms / width;
      if (width * height * prisms != area || sides[0] % width != 0 || sides[1] % height != 0)
        continue;
      const auto longer = [](int a, int b) { return a > b ? a : b; };
      if (width_ > 0 && longer(width, height) >= longer(width_, height_)) continue;
      width_ = width;
      height_ = height;
    }
  }

  constexpr bool valid() const noexcept { return width_ > 0; }
  constexpr int nodes() const noexcept { return sides_[0] * sides_[1] * sides_[2]; }

  /// The node at a place of the way through the prisms: one after the other, layer by layer.
  constexpr int node(int place) const noexcept {
    const int layer_size = width_ * height_, prism_size = layer_size * sides_[2];
    const int prism = place / prism_size, layer = place % prism_size / layer_size;
    const int inside = place % layer_size, across = sides_[0] / width_;
    const int x = prism % across * width_ + inside % width_;
    const int y = prism / across * height_ + inside / width_;
    return x + sides_[0] * (y + sides_[1] * layer);
  }

 private:
  std::array<int, 3> sides_;
  int width_ = 0, height_ = 0;  // of a prism
};

}  // namespace fg
