// SPDX-License-Identifier: BSD-3-Clause
//
// exp(-i G . R) of an ion for the waves of a share. It is a product of the factors along three
// axes, so its error is a few roundings. Units: bohr.
#pragma once

#include <array>
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include "electrons/waves/plane_waves.hpp"

namespace fg::electrons {

class PhaseFactors {
 public:
  explicit PhaseFactors(const PlaneWaves& waves);

  /// Both take arrays [waves]. A position has the same bits on every call.
  void write(const Vec3& position, std::span<std::complex<double>> phase) const;
  void add(const Vec3& position, std::span<std::complex<double>> sum) const;

  /// sum_G G Im(exp(-i G . R) q(G)), from both parts of q [waves], in a fixed order: columns of
  /// waves along z one after the other.
  Vec3 slope(const Vec3& position, std::span<const double> real,
             std::span<const double> imaginary) const;

 private:
  /// Waves that follow each other along z.
  struct Run {
    std::size_t first, count;
    int x, y, z;
  };
  template <class Use>
  void visit(const Vec3& position, const Use& use) const;

  Lattice lattice_;
  std::array<Vec3, 3> reciprocal_;
  std::size_t size_;
  std::array<int, 3> most_{};  // the largest index along each axis
  std::vector<Run> runs_;
};

}  // namespace fg::electrons
