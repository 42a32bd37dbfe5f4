// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/waves/lattice.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include "base/error.hpp"
#include "base/shown.hpp"

namespace fg::electrons {

namespace {

/// The largest eigenvalue of the product of a matrix, by its rows, with its transpose, in closed
/// form. Source: Smith, Commun. ACM 4, 168 (1961).
double largest_eigenvalue_of_square(const std::array<Vec3, 3>& rows) noexcept {
  const auto of = [&](int i, int k) {
    return dot(rows[static_cast<std::size_t>(i)], rows[static_cast<std::size_t>(k)]);
  };
  const double mean = (of(0, 0) + of(1, 1) + of(2, 2)) / 3;
  const Vec3 d{of(0, 0) - mean, of(1, 1) - mean, of(2, 2) - mean};
  const double xy = of(0, 1), xz = of(0, 2), yz = of(1, 2);
  const double width = std::sqrt((dot(d, d) + 2 * (xy * xy + xz * xz + yz * yz)) / 6);
  if (width <= 0) return mean;
  const double determinant =
      d.x * (d.y * d.z - yz * yz) - xy * (xy * d.z - yz * xz) + xz * (xy * yz - d.y * xz);
  const double half = std::clamp(determinant / (2 * width * width * width), -1.0, 1.0);
  return mean + 2 * width * std::cos(std::acos(half) / 3);
}

}  // namespace

double Lattice::volume() const noexcept {
  return std::abs(dot(vectors[0], cross(vectors[1], vectors[2])));
}

CellVectors Lattice::reciprocal() const noexcept {
  const double factor = 2 * std::numbers::pi / dot(vectors[0], cross(vectors[1], vectors[2]));
  return {cross(vectors[1], vectors[2]) * factor, cross(vectors[2], vectors[0]) * factor,
          cross(vectors[0], vectors[1]) * factor};
}

fft::ReciprocalVectors Lattice::reciprocal_rows() const noexcept {
  fft::ReciprocalVectors rows{};
  const CellVectors b = reciprocal();
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k) rows[i][k] = b[i][k];
  return rows;
}

Vec3 Lattice::fractional(const Vec3& position) const noexcept {
  const CellVectors b = reciprocal();
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

double largest_wave_stretch(const Lattice& from, const Lattice& to) noexcept {
  // G' = sum of b' (a . G) / 2 pi over the three vectors = M G; of M the largest singular value.
  const CellVectors b = to.reciprocal();
  std::array<Vec3, 3> rows{};
  for (int r = 0; r < 3; ++r)
    for (std::size_t i = 0; i < 3; ++i)
      rows[static_cast<std::size_t>(r)] += from.vectors[i] * (b[i][r] * 0.5 * std::numbers::inv_pi);
  return std::sqrt(largest_eigenvalue_of_square(rows));
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
