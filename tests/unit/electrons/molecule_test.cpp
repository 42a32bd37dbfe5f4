// SPDX-License-Identifier: BSD-3-Clause
//
// Where a molecule is in its cell, and its dipole moment: Gaussian charges at known places.
#include "electrons/ions/molecule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/ion_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using Complex = std::complex<double>;
constexpr double pi = std::numbers::pi, width = 1.3;
constexpr double longest = 7;  // [1/bohr]; waves of the charges then end at exp(-20)

const Lattice tilted{{Vec3{17.2, 0.6, -1.2}, Vec3{-3.4, 16.4, 1.2}, Vec3{4.2, -2.8, 18.6}}};
const std::vector<double> charges{6, 1, 1};
/// A molecule at the corner of the cell; the first ion is an image of one outside it.
std::vector<Vec3> positions(const Lattice& cell) {
  return {
      Vec3{0.3, 0.1, -0.2} + cell.vectors[0] - cell.vectors[2], {1.7, 1.2, -0.2}, {-1.1, 1.2, 0.4}};
}

TEST(MoleculePlace, IsCutInTheWidestGap) {
  const Lattice cell = test::cubic(20);
  const std::vector<Vec3> ions = positions(cell);
  const MoleculePlace place = place_of(cell, ions);
  for (std::size_t axis = 0; axis < 3; ++axis) EXPECT_DOUBLE_EQ(place.widths[axis], 20);
  EXPECT_NEAR(place.extents[0], 2.8, 1e-13);
  EXPECT_NEAR(place.extents[1], 1.1, 1e-13);
  EXPECT_NEAR(place.extents[2], 0.6, 1e-13);
  EXPECT_NEAR(place.centre.x, 0.3 / 20, 1e-14);
  EXPECT_NEAR(place.centre.y, 0.65 / 20, 1e-14);
  EXPECT_NEAR(place.centre.z, 0.1 / 20, 1e-14);
  EXPECT_TRUE(place.has_vacuum());
  // 8 bohr between ions of neighbouring cells: 10.8 along x.
  EXPECT_TRUE(place_of(test::cubic(10.81), positions(test::cubic(10.81))).has_vacuum());
  EXPECT_FALSE(place_of(test::cubic(10.79), positions(test::cubic(10.79))).has_vacuum());
  // One ion has no extent.
  EXPECT_NEAR(place_of(tilted, std::vector<Vec3>{{3, 4, 5}}).extents[1], 0, 1e-13);
}

TEST(MoleculePlace, HasTheWidthsBetweenFaces) {
  const Lattice sheared{{Vec3{10, 0, 0}, Vec3{5, 12, 0}, Vec3{0, 0, 9}}};
  const MoleculePlace place = place_of(sheared, std::vector<Vec3>{{0, 0, 0}});
  EXPECT_NEAR(place.widths[0], 10 * 12 / 13.0, 1e-13);
  EXPECT_NEAR(place.widths[1], 12, 1e-13);
}

TEST(RoomForIsolated, IsTwiceTheMoleculeWithItsElectrons) {
  // 2.8, 1.1 and 0.6 bohr of ions with 4 bohr on each side: 21.6, 18.2 and 17.2 bohr.
  const auto box = [](double a, double b, double c) {
    return Lattice{{Vec3{a, 0, 0}, Vec3{0, b, 0}, Vec3{0, 0, c}}};
  };
  EXPECT_NO_THROW(
      check_room_for_isolated(box(21.61, 18.21, 17.21), positions(box(21.61, 18.21, 17.21))));
  for (const Lattice& small : {box(21.5, 30, 30), box(30, 18.1, 30), box(30, 30, 17.1)})
    expect_refused<InputError>([&] { check_room_for_isolated(small, positions(small)); },
                               "at least 21.6 x 18.2 x 17.2 bohr");
}

TEST(RoomForIsolated, SaysHowLargeATiltedCellHasToBe) {
  const Lattice small{{tilted.vectors[0] * 0.8, tilted.vectors[1] * 0.8, tilted.vectors[2] * 0.8}};
  try {
    check_room_for_isolated(small, positions(small));
    ADD_FAILURE() << "accepted";
  } catch (const InputError& error) {
    double least = 0;
    ASSERT_EQ(std::sscanf(error.parts().limit.c_str(), "at least %lf x", &least), 1);
    const double factor = least / place_of(small, positions(small)).widths[0];
    for (const double change : {0.99, 1.01}) {
      Lattice larger = small;
      for (Vec3& v : larger.vectors) v *= factor * change;
      if (change > 1)
        EXPECT_NO_THROW(check_room_for_isolated(larger, positions(larger)));
      else
        EXPECT_THROW(check_room_for_isolated(larger, positions(larger)), InputError);
    }
  }
}

/// Eight electrons in two charges; dipole moment -(5 a + 3 b) from the origin.
const Vec3 a{0.5, -0.3, 0.2}, b{-1.2, 1.4, 0.9};
std::vector<Complex> density_of(const PlaneWaves& waves) {
  std::vector<Complex> density(waves.size());
  for (std::size_t i = 0; i < waves.size(); ++i)
    density[i] = std::exp(-waves.squares()[i] * width * width / 4) / waves.lattice().volume() *
                 (5.0 * std::polar(1.0, -dot(waves.wave(i), a)) +
                  3.0 * std::polar(1.0, -dot(waves.wave(i), b)));
  return density;
}
/// The same at the points of the grid, from the nearest images.
std::vector<double> points_of(const Lattice& cell, const std::array<int, 3>& grid) {
  std::vector<double> values;
  const auto charge = [&](const Vec3& r, const Vec3& at) {
    double sum = 0;
    for (int x = -1; x <= 1; ++x)
      for (int y = -1; y <= 1; ++y)
        for (int z = -1; z <= 1; ++z) {
          const Vec3 d = r - at + cell.position({1.0 * x, 1.0 * y, 1.0 * z});
          sum += std::exp(-dot(d, d) / (width * width));
        }
    return sum / std::pow(std::sqrt(pi) * width, 3);
  };
  for (int x = 0; x < grid[0]; ++x)
    for (int y = 0; y < grid[1]; ++y)
      for (int z = 0; z < grid[2]; ++z) {
        const Vec3 r = cell.position({1.0 * x / grid[0], 1.0 * y / grid[1], 1.0 * z / grid[2]});
        values.push_back(5 * charge(r, a) + 3 * charge(r, b));
      }
  return values;
}

TEST(Dipole, IsThatOfTheCharges) {
  for (const Lattice& cell : {test::cubic(20), tilted}) {
    const std::vector<Vec3> ions = positions(cell);
    const Vec3 centre = place_of(cell, ions).centre;
    Vec3 sum{};
    // Shares of two ranks.
    for (int rank = 0; rank < 2; ++rank) {
      const PlaneWaves waves = test::waves_up_to(cell, longest, 2, rank);
      sum += electron_dipole(waves, centre, density_of(waves));
    }
    const Vec3 c =
        cell.position({centre.x - std::nearbyint(centre.x), centre.y - std::nearbyint(centre.y),
                       centre.z - std::nearbyint(centre.z)});
    const Vec3 right = (a * 5 + b * 3 - c * 8) * -1.0;
    const Vec3 twin =
        reference::electron_dipole(cell, centre, {36, 40, 36}, points_of(cell, {36, 40, 36}));
    const Vec3 ion = ion_dipole(cell, centre, charges, ions);
    const Vec3 ion_right =
        Vec3{0.3, 0.1, -0.2} * 6 + Vec3{1.7, 1.2, -0.2} + Vec3{-1.1, 1.2, 0.4} - c * 8;
    for (int axis = 0; axis < 3; ++axis) {
      // At the cuts, 6.5 bohr away, exp(-6.5^2/1.3^2) of the charges is left.
      EXPECT_NEAR(sum[axis], right[axis], 1e-9);
      EXPECT_NEAR(twin[axis], right[axis], 1e-9);
      EXPECT_NEAR(ion[axis], ion_right[axis], 1e-12);
    }
  }
}

TEST(ElectronsOutside, AreThoseBeyondTheMiddleHalf) {
  const Lattice cell = test::cubic(12);
  const std::array<int, 3> grid{96, 96, 96};
  std::vector<double> density;
  const Vec3 centre{0.1, 0.9, 0.5};
  for (int x = 0; x < 96; ++x)
    for (int y = 0; y < 96; ++y)
      for (int z = 0; z < 96; ++z) {
        const Vec3 d = cell.position(from_centre({x / 96.0, y / 96.0, z / 96.0}, centre));
        density.push_back(std::exp(-dot(d, d) / (width * width)) /
                          std::pow(std::sqrt(pi) * width, 3));
      }
  const double along = std::erf(3 / width);  // within 3 bohr
  // The points end half-way between planes of the grid: one of 96 planes more or less.
  EXPECT_NEAR(electrons_outside(cell, centre, grid, {{0, 0, 0}, grid}, density),
              1 - along * along * along, 1e-3);
  double parts = 0;
  const std::size_t half = density.size() / 2;
  parts += electrons_outside(cell, centre, grid, {{0, 0, 0}, {48, 96, 96}},
                             std::span(density).first(half));
  parts += electrons_outside(cell, centre, grid, {{48, 0, 0}, {96, 96, 96}},
                             std::span(density).subspan(half));
  EXPECT_NEAR(parts, electrons_outside(cell, centre, grid, {{0, 0, 0}, grid}, density), 1e-14);
}

}  // namespace
}  // namespace fg::electrons
