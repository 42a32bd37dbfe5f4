// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/plane_waves.hpp"

#include "base/error.hpp"

namespace fg::electrons {

PlaneWaves::PlaneWaves(const Lattice& lattice, std::vector<std::array<int, 3>> indices)
    : lattice_(lattice), reciprocal_(lattice.reciprocal()), indices_(std::move(indices)) {
  check_lattice(lattice);
  squares_.reserve(indices_.size());
  for (std::size_t i = 0; i < indices_.size(); ++i) {
    const auto [x, y, z] = indices_[i];
    FG_CHECK(x > 0 || (x == 0 && (y > 0 || (y == 0 && z >= 0))));
    if (x == 0 && y == 0 && z == 0) {
      FG_CHECK(zero_ < 0);
      zero_ = static_cast<std::ptrdiff_t>(i);
    }
    const Vec3 g = wave(i);
    squares_.push_back(dot(g, g));
  }
}

Vec3 PlaneWaves::wave(std::size_t i) const noexcept {
  const auto [x, y, z] = indices_[i];
  return reciprocal_[0] * x + reciprocal_[1] * y + reciprocal_[2] * z;
}

}  // namespace fg::electrons
