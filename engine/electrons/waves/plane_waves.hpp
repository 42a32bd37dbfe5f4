// SPDX-License-Identifier: BSD-3-Clause
//
// The waves of one share of a half sphere (fft/sphere/wave_sphere.hpp). One of G and -G is kept,
// since coefficients of real functions obey c(-G) = c(G)*. So a sum over all waves is one over
// these with the weight 2, or 1 for G = 0. Units: bohr.
#pragma once

#include <array>
#include <span>
#include <vector>

#include "electrons/waves/lattice.hpp"

namespace fg::electrons {

class PlaneWaves {
 public:
  /// The waves x b1 + y b2 + z b3 of the lattice, in the order of `indices`. SpherePlan::indices_of
  /// has such an order. Throws InternalError if one is not of the half that is kept, or if G = 0 is
  /// there twice.
  PlaneWaves(const Lattice& lattice, std::vector<std::array<int, 3>> indices);

  std::size_t size() const noexcept { return indices_.size(); }
  std::span<const std::array<int, 3>> indices() const noexcept { return indices_; }
  /// |G|^2 of each wave [1/bohr^2].
  std::span<const double> squares() const noexcept { return squares_; }
  Vec3 wave(std::size_t i) const noexcept;
  /// Where G = 0 is, or -1 if it is in another share.
  std::ptrdiff_t zero() const noexcept { return zero_; }
  const Lattice& lattice() const noexcept { return lattice_; }
  /// The waves with the same indices in another cell.
  PlaneWaves in_cell(const Lattice& lattice) const { return {lattice, indices_}; }

 private:
  Lattice lattice_;
  std::array<Vec3, 3> reciprocal_;
  std::vector<std::array<int, 3>> indices_;
  std::vector<double> squares_;
  std::ptrdiff_t zero_ = -1;
};

}  // namespace fg::electrons
