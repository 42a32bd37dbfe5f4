// SPDX-License-Identifier: BSD-3-Clause
//
// Sums of a field with the splines of an ion: against the twin, over parts of the grid, and the
// other way round.
#include "electrons/splines/ion_splines.hpp"

#include <gtest/gtest.h>

#include <random>

#include "base/error.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/spline_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using Complex = std::complex<double>;

const fft::Grid grid{11, 10, 13};
const std::vector<Vec3> positions = {
    {0.3, -1.2, 2.2}, {4.1, 3.3, -8.4}, {0, 0, 0}, {-3.3, 20.1, 5.2}, {2.2, 0.4, 10.2}};

std::vector<Complex> random_points(std::size_t count, unsigned seed) {
  std::mt19937_64 random(seed);
  std::normal_distribution<double> normal;
  std::vector<Complex> points(count);
  for (Complex& p : points) p = {normal(random), normal(random)};
  return points;
}

TEST(IonSplines, SumsAreThoseOfTheTwin) {
  const auto points = random_points(fft::whole(grid).volume(), 1);
  for (int order = least_spline_order; order <= most_spline_order; ++order) {
    IonSplines splines(grid, order, fft::whole(grid));
    splines.place(test::skewed, positions);
    ASSERT_EQ(splines.ions(), positions.size());
    for (std::size_t ion = 0; ion < positions.size(); ++ion) {
      const SplineSums found = splines.gather(ion, points);
      const SplineSums right = reference::gather(test::skewed, grid, order, positions[ion], points);
      for (std::size_t field = 0; field < 2; ++field) {
        // Sums of 10^3 numbers with weights of sum 1; slopes are times 13 / 8 bohr.
        EXPECT_NEAR(found.values[field], right.values[field], 1e-13) << order;
        for (int a = 0; a < 3; ++a)
          EXPECT_NEAR(found.gradients[field][a], right.gradients[field][a], 1e-12) << order;
      }
    }
  }
}

TEST(IonSplines, ScatterIsTheTransposeOfGather) {
  const auto points = random_points(fft::whole(grid).volume(), 2);
  for (const int order : {4, 7, 8, 10}) {
    IonSplines splines(grid, order, fft::whole(grid));
    splines.place(test::skewed, positions);
    for (std::size_t ion = 0; ion < positions.size(); ++ion) {
      std::vector<Complex> spread(points.size());
      splines.scatter(ion, {2.5, -1.5}, spread);
      double first = 0, second = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        first += spread[i].real() * points[i].real();
        second += spread[i].imag() * points[i].imag();
      }
      const SplineSums sums = splines.gather(ion, points);
      EXPECT_NEAR(first, 2.5 * sums.values[0], 1e-13);
      EXPECT_NEAR(second, -1.5 * sums.values[1], 1e-13);
    }
  }
}

void expect_parts_to_add_up(const std::vector<fft::GridBox>& parts) {
  const auto points = random_points(fft::whole(grid).volume(), 3);
  for (const int order : {5, 8}) {
    IonSplines whole(grid, order, fft::whole(grid));
    whole.place(test::skewed, positions);
    std::vector<SplineSums> sums(positions.size());
    std::vector<Complex> spread(points.size()), put_together(points.size());
    for (std::size_t ion = 0; ion < positions.size(); ++ion) whole.scatter(ion, {1, 0.5}, spread);
    for (const auto& box : parts) {
      IonSplines part(grid, order, box);
      part.place(test::skewed, positions);
      std::vector<Complex> own, spread_here(box.volume());
      for (int x = 0; x < grid[0]; ++x)
        for (int y = box.low[1]; y < box.high[1]; ++y)
          for (int z = box.low[2]; z < box.high[2]; ++z)
            own.push_back(points[(x * grid[1] + y) * grid[2] + z]);
      for (std::size_t ion = 0; ion < positions.size(); ++ion) {
        const SplineSums more = part.gather(ion, own);
        for (std::size_t field = 0; field < 2; ++field) {
          sums[ion].values[field] += more.values[field];
          sums[ion].gradients[field] += more.gradients[field];
        }
        part.scatter(ion, {1, 0.5}, spread_here);
      }
      std::size_t i = 0;
      for (int x = 0; x < grid[0]; ++x)
        for (int y = box.low[1]; y < box.high[1]; ++y)
          for (int z = box.low[2]; z < box.high[2]; ++z)
            put_together[(x * grid[1] + y) * grid[2] + z] = spread_here[i++];
    }
    for (std::size_t ion = 0; ion < positions.size(); ++ion) {
      const SplineSums right = whole.gather(ion, points);
      for (std::size_t field = 0; field < 2; ++field) {
        EXPECT_NEAR(sums[ion].values[field], right.values[field], 1e-13);
        for (int a = 0; a < 3; ++a)
          EXPECT_NEAR(sums[ion].gradients[field][a], right.gradients[field][a], 1e-12);
      }
    }
    EXPECT_EQ(put_together, spread);
  }
}

/// Also parts of one plane, and one part too many, which is empty.
TEST(IonSplines, PlanesOfPartsAddUp) {
  expect_parts_to_add_up(fft::slabs(grid, 2, grid[2] + 1));
}

/// With few rows, and with a single one.
TEST(IonSplines, PiecesOfPlanesAddUp) {
  expect_parts_to_add_up(fft::pencils(grid, 0, {3, 2}));
  expect_parts_to_add_up(fft::pencils(grid, 0, {grid[1], 4}));
}

TEST(IonSplines, RefuseBoxesWithoutWholeLines) {
  expect_refused<InternalError>([] { IonSplines(grid, 4, {{1, 0, 0}, {11, 10, 13}}); }, "box");
  expect_refused<InputError>([] { IonSplines(grid, 11, fft::whole(grid)); }, "4 to 10");
}

}  // namespace
}  // namespace fg::electrons
