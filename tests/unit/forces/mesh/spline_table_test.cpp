// SPDX-License-Identifier: BSD-3-Clause
//
// Splines, spreading and interpolation on every SIMD target against the plain double-precision
// reference, and their treatment of atoms that have left the frame.
// Units: bohr.
#include "forces/mesh/spline_table.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <utility>
#include <vector>

#include "forces/mesh/potential_rows.hpp"
#include "support/each_simd_target.hpp"
#include "support/references/forces/spline_table_reference.hpp"
#include "support/same_on_each_target.hpp"

namespace fg::test {
namespace {

constexpr TiltOf<double> upright, slanted{-0.125, 0.0625, 0.1875};

/// A patch of 10 bohr around its centre in a frame of 21 x 20 x 22 points, 1.3 points per bohr.
template <class Real>
struct Patch {
  std::vector<Real> positions, charges;
  SplineAtoms<Real> atoms{};
  SplineTable<Real> table;
  std::vector<Real> grid, forces;
  TouchedPoints touched;

  Patch(int order, int count, const Tilt& slant = upright, Bits bits = Bits::fast) {
    const int clusters = (count + 7) / 8;
    positions.assign(24 * clusters, Real(1e6));
    charges.assign(8 * clusters, Real(0));
    std::mt19937 random(count);
    // Values that both precisions represent exactly, so that both see the same atoms.
    std::uniform_int_distribution<int> place(-4 * 1024, 4 * 1024);
    for (int i = 0; i < count; ++i) {
      for (int a = 0; a < 3; ++a)
        positions[24 * (i / 8) + 8 * a + i % 8] = static_cast<Real>(place(random) / 1024.0);
      charges[i] = static_cast<Real>(place(random) / 4096.0);
    }
    atoms = {.positions = positions.data(),
             .charges = charges.data(),
             .density = {Real(1.25), Real(1.25), Real(1.25)},
             .slant = {Real(slant.xy), Real(slant.xz), Real(slant.yz)},
             .centre = {Real(6), Real(6.5), Real(7)},
             .room = {21, 20, 22}};
    table.bits = bits;
    table.resize(order, clusters);
    forces.resize(24 * clusters);
  }

  std::array<int, 3> size() const {
    return {touched.high[0] - touched.low[0], touched.high[1] - touched.low[1],
            touched.high[2] - touched.low[2]};
  }
  std::size_t points() const { return std::size_t(size()[0]) * size()[1] * size()[2]; }
  GridView<Real> view() { return {grid.data(), touched.low, size()}; }
  GridView<const Real> const_view() const { return {grid.data(), touched.low, size()}; }
  void clear() { grid.assign(points() + grid_tail, Real(0)); }
  void gather() {
    PotentialRows<Real> potential;
    potential.set(const_view());
    gather_forces(table, potential, forces.data());
  }
};

class SplineKernels : public EachSimdTarget {
 protected:
  template <class Real>
  static void expect_twin(int order, int count, const Tilt& slant, double tolerance,
                          Bits bits = Bits::fast) {
    Patch<Real> fast(order, count, slant, bits);
    Patch<double> twin(order, count, slant);
    fast.touched = make_splines(fast.atoms, fast.table);
    twin.touched = reference::make_splines(twin.atoms, twin.table);
    ASSERT_EQ(fast.touched.low, twin.touched.low);
    ASSERT_EQ(fast.touched.high, twin.touched.high);
    ASSERT_EQ(fast.touched.outside, -1);

    fast.clear(), twin.clear();
    spread_charges(fast.table, fast.view());
    reference::spread_charges(twin.table, twin.view());
    for (std::size_t i = 0; i < fast.points(); ++i)
      ASSERT_NEAR(fast.grid[i], twin.grid[i], tolerance) << "order " << order << " point " << i;

    // A potential of order 1 without symmetry.
    for (std::size_t i = 0; i < fast.points(); ++i)
      fast.grid[i] = static_cast<Real>(twin.grid[i] = static_cast<float>(std::sin(0.7 * i)));
    fast.gather();
    reference::gather_forces(twin.table, twin.const_view(), twin.forces.data());
    for (std::size_t i = 0; i < fast.forces.size(); ++i)
      ASSERT_NEAR(fast.forces[i], twin.forces[i], tolerance) << "order " << order << " slot " << i;
  }
};

// Weights, charges and potentials are of order 1; up to 40 atoms add to a point, and up to 512
// points to a force. This allows for 20 roundings (100 for double, because the reference uses
// another recursion for order 8).
TEST_P(SplineKernels, FloatAgreesWithTwin) {
  for (int order : {4, 5, 6, 8})
    for (int count : {1, 7, 8, 9, 40})
      for (const Tilt& slant : {upright, slanted})
        expect_twin<float>(order, count, slant, 20 * 6e-8);
}
TEST_P(SplineKernels, DoubleAgreesWithTwin) {
  for (int order : {4, 5, 6, 8})
    for (int count : {1, 7, 8, 9, 40})
      for (const Tilt& slant : {upright, slanted})
        expect_twin<double>(order, count, slant, 100 * 1.1e-16);
}

TEST_P(SplineKernels, PortableBitsAgreeWithTwin) {
  for (int order : {4, 5, 6, 8})
    for (int count : {1, 8, 40})
      for (const Tilt& slant : {upright, slanted}) {
        expect_twin<float>(order, count, slant, 20 * 6e-8, Bits::portable);
        expect_twin<double>(order, count, slant, 100 * 1.1e-16, Bits::portable);
      }
}

TEST_P(SplineKernels, ChargeOnTheGridIsTheCharge) {
  for (int order : {4, 5, 6, 8}) {
    Patch<float> patch(order, 30);
    patch.touched = make_splines(patch.atoms, patch.table);
    patch.clear();
    spread_charges(patch.table, patch.view());
    double on_grid = 0, charge = 0;
    for (std::size_t i = 0; i < patch.points(); ++i) on_grid += patch.grid[i];
    for (float q : patch.charges) charge += q;
    EXPECT_NEAR(on_grid, charge, 1e-5);  // 30 order^3 roundings of 6e-8 on parts below 0.1
    for (std::size_t i = patch.points(); i < patch.grid.size(); ++i)
      EXPECT_EQ(patch.grid[i], 0) << "after the end of the grid";
  }
}

template <class Real>
void expect_outside_is_found(int order) {
  const Real inf = std::numeric_limits<Real>::infinity();
  const Real nan = std::numeric_limits<Real>::quiet_NaN();
  // On each side of each axis: just outside, far outside, and NaN or infinite.
  for (int axis = 0; axis < 3; ++axis)
    for (const Real bad : {Real(-6.0), Real(14), Real(-1e30), Real(1e30), inf, -inf, nan}) {
      Patch<Real> patch(order, 21);
      patch.positions[24 * 1 + 8 * axis + 3] = bad;
      patch.touched = make_splines(patch.atoms, patch.table);
      EXPECT_EQ(patch.touched.outside, 11) << "order " << order << " axis " << axis << " " << bad;
      for (int a = 0; a < 3; ++a) {
        EXPECT_GE(patch.touched.low[a], 0);
        EXPECT_LE(patch.touched.high[a], patch.atoms.room[a]);
      }
      patch.clear();  // the other atoms are not affected
      spread_charges(patch.table, patch.view());
      patch.gather();
      for (int a = 0; a < 3; ++a) EXPECT_EQ(patch.forces[24 * 1 + 8 * a + 3], 0);
      for (Real value : patch.grid) EXPECT_TRUE(std::isfinite(value));
    }
}

TEST_P(SplineKernels, AtomsOutsideAreReportedAndWriteNothing) {
  for (int order : {4, 5, 6, 8}) {
    expect_outside_is_found<float>(order);
    expect_outside_is_found<double>(order);
  }
}

TEST_P(SplineKernels, PatchWithoutChargesTouchesNothing) {
  Patch<float> patch(4, 9);
  std::fill(patch.charges.begin(), patch.charges.end(), 0.0f);
  patch.touched = make_splines(patch.atoms, patch.table);
  EXPECT_EQ(patch.touched.low, patch.touched.high);
  patch.clear();
  spread_charges(patch.table, patch.view());
  patch.gather();
  EXPECT_EQ(patch.forces, std::vector<float>(48, 0.0f));
}

/// Lines of nz points along z, each in memory of its own; the block begins at point `first` of
/// them, and may be longer than they are.
template <class Real>
void expect_same_forces_from_lines(int order, int nz, int first) {
  Patch<Real> patch(order, 40);
  patch.touched = make_splines(patch.atoms, patch.table);
  patch.clear();
  const auto [nx, ny, points] = patch.size();
  std::vector<std::vector<Real>> lines;
  PotentialRows<Real> rows;
  rows.begin(patch.touched.low, patch.size());
  for (int z = 0; z < points; ++z) rows.place(z) = (first + z) % nz;
  for (int x = 0; x < nx; ++x)
    for (int y = 0; y < ny; ++y) {
      std::vector<Real>& line = lines.emplace_back();
      for (int z = 0; z < nz + line_halo; ++z)
        line.push_back(static_cast<Real>(std::sin(0.9 * x + 0.4 * y + 0.7 * (z % nz))));
      rows.row(x, y) = line.data();
      for (int z = 0; z < points; ++z)
        patch.grid[static_cast<std::size_t>((x * ny + y) * points + z)] =
            line[static_cast<std::size_t>((first + z) % nz)];
    }
  patch.gather();
  std::vector<Real> from_lines(patch.forces.size());
  gather_forces(patch.table, rows, from_lines.data());
  EXPECT_EQ(from_lines, patch.forces) << "order " << order << ", " << nz << " points";
}

TEST_P(SplineKernels, RowsInLinesGiveTheSameForcesAsABlock) {
  for (int order : {4, 5, 6, 8})
    for (const auto& [nz, first] : {std::pair{32, 0}, {32, 25}, {9, 4}}) {
      expect_same_forces_from_lines<float>(order, nz, first);
      expect_same_forces_from_lines<double>(order, nz, first);
    }
}

FG_ON_EACH_SIMD_TARGET(SplineKernels);

template <class Real>
void expect_same_bits(int order, int count, const Tilt& slant) {
  same_on_each_target([&] {
    Patch<Real> patch(order, count, slant, Bits::portable);
    patch.touched = make_splines(patch.atoms, patch.table);
    patch.clear();
    spread_charges(patch.table, patch.view());
    std::vector<Real> all(patch.grid.begin(),
                          patch.grid.begin() + static_cast<std::ptrdiff_t>(patch.points()));
    for (std::size_t i = 0; i < patch.points(); ++i)
      patch.grid[i] = static_cast<Real>(1 / (1.0 + static_cast<double>(i)));
    patch.gather();
    all.insert(all.end(), patch.forces.begin(), patch.forces.end());
    return all;
  });
}

TEST(PortableSplines, HaveTheSameBitsOnEachTarget) {
  for (int order : {4, 5, 6, 8})
    for (int count : {1, 7, 8, 9, 40})
      for (const Tilt& slant : {upright, slanted}) {
        expect_same_bits<float>(order, count, slant);
        expect_same_bits<double>(order, count, slant);
      }
}

}  // namespace
}  // namespace fg::test
