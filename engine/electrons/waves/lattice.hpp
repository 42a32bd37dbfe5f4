// SPDX-License-Identifier: BSD-3-Clause
//
// A periodic cell by its three vectors, in any orientation, of either hand, reduced or not.
// Units: bohr.
#pragma once

#include "base/box.hpp"
#include "fft/sphere/wave_sphere.hpp"

namespace fg::electrons {

struct Lattice {
  CellVectors vectors;

  double volume() const noexcept;
  /// The vectors b with b_i . a_j = 2 pi for i = j, and 0 otherwise [1/bohr].
  CellVectors reciprocal() const noexcept;
  fft::ReciprocalVectors reciprocal_rows() const noexcept;
  /// The multiples of the vectors that make a position.
  Vec3 fractional(const Vec3& position) const noexcept;
  Vec3 position(const Vec3& multiples) const noexcept;

  bool operator==(const Lattice&) const noexcept = default;
};

/// Throws InputError if a vector is not finite, or if the three lie in a plane. They do if the
/// volume is below 1e-9 of the product of their lengths.
void check_lattice(const Lattice& lattice);

/// How many times as long a wave may be in one cell as it is in another, with the same indices.
/// This is the largest singular value of the matrix that takes waves of `from` to those of `to`.
double largest_wave_stretch(const Lattice& from, const Lattice& to) noexcept;

/// The same lattice by vectors none of which can be made shorter by adding one of the others.
Lattice reduced(Lattice lattice) noexcept;

}  // namespace fg::electrons
