// SPDX-License-Identifier: BSD-3-Clause
#include "electrons/ions/molecule.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "base/shown.hpp"
#include "base/units.hpp"
#include "electrons/waves/nearest_image.hpp"

namespace fg::electrons {

namespace {

double to_unit(double s) {
  const double rest = s - std::floor(s);
  return rest < 1 ? rest : 0;
}

/// The widest gap between numbers on a circle of length 1: where it begins, and its length.
std::array<double, 2> widest_gap(std::vector<double> s) {
  std::sort(s.begin(), s.end());
  std::array<double, 2> widest{s.back(), s.front() + 1 - s.back()};
  for (std::size_t i = 0; i + 1 < s.size(); ++i)
    if (s[i + 1] - s[i] > widest[1]) widest = {s[i], s[i + 1] - s[i]};
  return widest;
}

std::string sizes(const std::array<double, 3>& lengths, double unit) {
  return shown(lengths[0] * unit, 4) + " x " + shown(lengths[1] * unit, 4) + " x " +
         shown(lengths[2] * unit, 4);
}
std::string sizes(const std::array<double, 3>& lengths) {
  return sizes(lengths, 1) + " bohr (" + sizes(lengths, units::bohr_in_angstrom) + " angstrom)";
}

}  // namespace

bool MoleculePlace::has_vacuum() const noexcept {
  for (std::size_t axis = 0; axis < 3; ++axis)
    if (widths[axis] - extents[axis] < 2 * electrons_beyond_ions) return false;
  return true;
}

MoleculePlace place_of(const Lattice& lattice, std::span<const Vec3> positions) {
  FG_CHECK(!positions.empty());
  const std::array<Vec3, 3> reciprocal = lattice.reciprocal();
  MoleculePlace place;
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> along;
    for (const Vec3& r : positions) along.push_back(to_unit(lattice.fractional(r)[axis]));
    const auto [begin, length] = widest_gap(std::move(along));
    const auto i = static_cast<std::size_t>(axis);
    place.centre[axis] = to_unit(begin + length / 2 + 0.5);
    place.widths[i] = 2 * std::numbers::pi / norm(reciprocal[i]);
    place.extents[i] = (1 - length) * place.widths[i];
  }
  return place;
}

void check_room_for_isolated(const Lattice& lattice, std::span<const Vec3> positions) {
  const MoleculePlace place = place_of(lattice, positions);
  std::array<double, 3> needed{}, share{};
  for (std::size_t i = 0; i < 3; ++i) {
    needed[i] = place.extents[i] + 2 * electrons_beyond_ions;
    share[i] = needed[i] / place.widths[i];
  }
  // All distances in the box round the molecule must be shorter than those to images. It is enough
  // to look at its longest ones.
  const NearestImage nearest(lattice);
  double growth = 0;
  for (int corner = 0; corner < 4; ++corner)
    growth = std::max(
        growth, nearest.growth(lattice.position({share[0], (corner & 1) ? -share[1] : share[1],
                                                 (corner & 2) ? -share[2] : share[2]})));
  if (growth <= 1) return;
  const auto& a = lattice.vectors;
  const bool right_angles =
      std::abs(dot(a[0], a[1])) + std::abs(dot(a[1], a[2])) + std::abs(dot(a[2], a[0])) <
      1e-9 * (dot(a[0], a[0]) + dot(a[1], a[1]) + dot(a[2], a[2]));
  std::array<double, 3> least{};
  for (std::size_t i = 0; i < 3; ++i)
    least[i] = right_angles ? 2 * needed[i] : growth * place.widths[i];
  throw InputError({.what = "the cell is too small for a molecule without images",
                    .where = "cell",
                    .value = sizes(place.widths) + " between its faces",
                    .limit = "at least " + sizes(least) + ", twice the molecule with " +
                             shown(electrons_beyond_ions) + " bohr for its electrons on each side",
                    .hint = "make the cell larger, or take boundary = \"periodic\""});
}

Vec3 from_centre(const Vec3& multiples, const Vec3& centre) noexcept {
  const Vec3 s = multiples - centre;
  return {s.x - std::nearbyint(s.x), s.y - std::nearbyint(s.y), s.z - std::nearbyint(s.z)};
}

Vec3 electron_dipole(const PlaneWaves& waves, const Vec3& centre,
                     std::span<const std::complex<double>> density) noexcept {
  constexpr double two_pi = 2 * std::numbers::pi;
  Vec3 multiples{};
  for (std::size_t i = 0; i < waves.size(); ++i) {
    const auto& index = waves.indices()[i];
    for (int axis = 0; axis < 3; ++axis) {
      const int m = index[static_cast<std::size_t>(axis)];
      if (m == 0 || index[static_cast<std::size_t>((axis + 1) % 3)] != 0 ||
          index[static_cast<std::size_t>((axis + 2) % 3)] != 0)
        continue;
      const std::complex<double> moved = density[i] * std::polar(1.0, two_pi * m * centre[axis]);
      // With that of -G: twice the real part of moved / i.
      multiples[axis] += (m % 2 == 0 ? 2 : -2) * moved.imag() / (two_pi * m);
    }
  }
  return waves.lattice().position(multiples) * -waves.lattice().volume();
}

Vec3 ion_dipole(const Lattice& lattice, const Vec3& centre, std::span<const double> charges,
                std::span<const Vec3> positions) noexcept {
  Vec3 sum{};
  for (std::size_t i = 0; i < positions.size(); ++i)
    sum += lattice.position(from_centre(lattice.fractional(positions[i]), centre)) * charges[i];
  return sum;
}

double electrons_outside(const Lattice& lattice, const Vec3& centre, const std::array<int, 3>& grid,
                         const fft::GridBox& box, std::span<const double> density) noexcept {
  const auto far = [&](int axis, int point) {
    const double s = 1.0 * point / grid[static_cast<std::size_t>(axis)] - centre[axis];
    return std::abs(s - std::nearbyint(s)) > 0.25;
  };
  double sum = 0;
  std::size_t i = 0;
  for (int x = box.low[0]; x < box.high[0]; ++x)
    for (int y = box.low[1]; y < box.high[1]; ++y)
      for (int z = box.low[2]; z < box.high[2]; ++z, ++i)
        if (far(0, x) || far(1, y) || far(2, z)) sum += density[i];
  return sum * lattice.volume() / grid[0] / grid[1] / grid[2];
}

}  // namespace fg::electrons
