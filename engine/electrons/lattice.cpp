// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/lattice.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::electrons {

double Lattice::volume() const noexcept {
  return std::abs(dot(vectors[0], cross(vectors[1], vectors[2])));
}

std::array<Vec3, 3> Lattice::reciprocal() const noexcept {
  const double factor = 2 * std::numbers::pi / dot(vectors[0], cross(vectors[1], vectors[2]));
  return {cross(vectors[1], vectors[2]) * factor, cross(vectors[2], vectors[0]) * factor,
          cross(vectors[0], vectors[1]) * factor};
}

fft::ReciprocalVectors Lattice::reciprocal_rows() const noexcept {
  fft::ReciprocalVectors rows{};
  const std::array<Vec3, 3> b = reciprocal();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) rows[i][k] = b[i][k];
  return rows;
}

Vec3 Lattice::fractional(const Vec3& position) const noexcept {
  const std::array<Vec3, 3> b = reciprocal();
  return Vec3{dot(b[0], position), dot(b[1], position), dot(b[2], position)} *
         (0.5 * std::numbers::inv_pi);
}

Vec3 Lattice::position(const Vec3& multiples) const noexcept {
  return vectors[0] * multiples.x + vectors[1] * multiples.y + vectors[2] * multiples.z;
}

void check_lattice(const Lattice& lattice) {
  double lengths = 1;
  for (const Vec3& v : lattice.vectors) {
    if (!std::isfinite(v.x) || !std::isfinite(v.y) || !std::isfinite(v.z))
      throw InputError({.what = "a vector of the cell is not finite",
                        .where = "cell",
                        .hint = "correct the cell of the structure"});
    lengths *= norm(v);
  }
  const double volume = lattice.volume();
  if (!(volume > 1e-9 * lengths))
    throw InputError({.what = "the vectors of the cell lie in a plane",
                      .where = "cell",
                      .value = "volume " + shown(volume) + " bohr^3",
                      .limit = "more than 1e-9 of the product of the lengths",
                      .hint = "correct the cell of the structure"});
}

Lattice reduced(Lattice lattice) noexcept {
  auto& v = lattice.vectors;
  for (bool changed = true; changed;) {
    changed = false;
    for (int i = 0; i < 3; ++i)
      for (int k = 0; k < 3; ++k) {
        if (i == k) continue;
        const double times = std::nearbyint(dot(v[i], v[k]) / dot(v[k], v[k]));
        if (times == 0) continue;
        const Vec3 shorter = v[i] - v[k] * times;
        // Only if it is shorter beyond rounding, so that this ends.
        if (dot(shorter, shorter) > (1 - 1e-12) * dot(v[i], v[i])) continue;
        v[i] = shorter;
        changed = true;
      }
  }
  return lattice;
}

}  // namespace fg::electrons
