// SPDX-License-Identifier: BSD-3-Clause
//
// Divisions of grids and layouts of arrays, drawn from a seed.
#pragma once

#include <algorithm>
#include <array>
#include <random>
#include <vector>

#include "fft/decomposition.hpp"
#include "fft/storage.hpp"

namespace fg::test {

class Draw {
 public:
  explicit Draw(unsigned seed) : random_(seed) {}

  /// 1 .. most.
  int upto(int most) { return std::uniform_int_distribution<int>(1, most)(random_); }

  /// Bricks in random order, and perhaps some empty boxes.
  std::vector<fft::GridBox> boxes(const fft::Grid& grid, int ranks) {
    for (;;) {
      const std::array<int, 3> parts{upto(4), upto(4), upto(4)};
      std::vector<fft::GridBox> boxes = fft::bricks(grid, parts);
      if (static_cast<int>(boxes.size()) > ranks) continue;
      boxes.resize(static_cast<std::size_t>(ranks));
      std::shuffle(boxes.begin(), boxes.end(), random_);
      return boxes;
    }
  }

  /// Any order of axes and of the fields of a batch, with gaps.
  fft::Storage storage(const fft::GridBox& box, int batch) {
    std::array<int, 4> order{0, 1, 2, 3};
    std::shuffle(order.begin(), order.end(), random_);
    fft::Storage storage{{box, {}}, 0};
    std::ptrdiff_t stride = upto(2);
    for (const int axis : order) {
      if (axis == 3)
        storage.distance = static_cast<std::size_t>(stride);
      else
        storage.layout.stride[axis] = stride;
      stride *= axis == 3 ? batch : std::max(1, box.size(axis));
      stride += upto(3) - 1;
    }
    return storage;
  }

  double between(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random_);
  }

 private:
  std::mt19937 random_;
};

}  // namespace fg::test
