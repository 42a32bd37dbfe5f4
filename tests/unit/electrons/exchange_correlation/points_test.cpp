// SPDX-License-Identifier: BSD-3-Clause
//
// Kernels of functionals against their plain twins, for every sum of an exchange and a correlation,
// on every SIMD target; the bits of a point do not depend on its place; what happens to densities
// that are none.
#include <cmath>
#include <limits>

#include "support/each_simd_target.hpp"
#include "support/electrons/xc_errors.hpp"
#include "support/references/electrons/points_reference.hpp"

namespace fg::test {
namespace {

using namespace electrons;
using XcPointsOnTargets = EachSimdTarget;

// A few roundings in each function and in each product of powers; the exponential of LYP multiplies
// them by its argument, up to 700. The largest error seen is 4.2e-13.
constexpr double allowed = 5e-13;
constexpr auto allowed_everywhere = [](double) { return allowed; };

template <class Arrays>
void run(FunctionalParts parts, const GradientCut& cut, Arrays& points) {
  points.make_room();
  evaluate_points(parts, cut, points.arrays());
}
template <class Arrays>
void run_twin(FunctionalParts parts, const GradientCut& cut, Arrays& points) {
  points.make_room();
  reference::evaluate_points(parts, cut, points.arrays());
}

std::string name_of(FunctionalParts parts) {
  return "exchange " + std::to_string(static_cast<int>(parts.exchange)) + ", correlation " +
         std::to_string(static_cast<int>(parts.correlation));
}

/// Term by term: between exchange and correlation much may cancel.
template <class Arrays>
void expect_twin(const Arrays& samples, const GradientCut& cut) {
  double worst = 0;
  for (const FunctionalParts parts : all_parts()) {
    if (parts.exchange != Exchange::none && parts.correlation != Correlation::none) continue;
    Arrays tried = samples, right = samples, flat = without_gradient(samples);
    run(parts, cut, tried), run_twin(parts, cut, right), run_twin(parts, {}, flat);
    const XcErrors errors =
        xc_errors(tried, right, flat, parts.uses_gradient(), allowed_everywhere);
    EXPECT_LE(errors.worst(), 1) << name_of(parts) << ": " << errors.where();
    worst = std::max(worst, errors.worst());
  }
  std::cout << "largest error " << worst * allowed << std::endl;
}

TEST_P(XcPointsOnTargets, WithoutSpinAgreesWithTheTwin) {
  expect_twin(XcSampler(1).points(3001), {});
}
TEST_P(XcPointsOnTargets, WithSpinAgreesWithTheTwin) {
  expect_twin(XcSampler(2).spin_points(3001), {});
}
TEST_P(XcPointsOnTargets, WithoutSpinAgreesWithTheTwinAboveThresholds) {
  expect_twin(XcSampler(3).points(1001), {.density = 1e-6, .sigma = 1e-10});
}
TEST_P(XcPointsOnTargets, WithSpinAgreesWithTheTwinAboveThresholds) {
  const GradientCut cut = {.spin_density = 1e-10,
                           .spin_sigma = 1e-20,
                           .sum_density = 1e-6,
                           .sum_sigma = 1e-12,
                           .least_share = 5e-7};
  expect_twin(XcSampler(4).spin_points(1001), cut);
  // With a share that many points are below.
  expect_twin(XcSampler(9).spin_points(1001), {.least_share = 0.2});
}

/// All results of points first, first + 1, ..., as one list; arrays begin anywhere in memory.
Values results_from(FunctionalParts parts, const XcArrays& all, std::size_t first,
                    std::size_t count) {
  XcArrays some;
  some.density.assign(all.density.begin() + first, all.density.begin() + first + count);
  some.sigma.assign(all.sigma.begin() + first, all.sigma.begin() + first + count);
  run(parts, {}, some);
  Values list;
  for (std::size_t i = 0; i < count; ++i)
    list.insert(list.end(), {some.energy[i], some.by_density[i], some.by_sigma[i]});
  return list;
}
Values results_from(FunctionalParts parts, const XcSpinArrays& all, std::size_t first,
                    std::size_t count) {
  XcSpinArrays some;
  for (int k = 0; k < 2; ++k)
    some.density[k].assign(all.density[k].begin() + first, all.density[k].begin() + first + count);
  for (int k = 0; k < 3; ++k)
    some.sigma[k].assign(all.sigma[k].begin() + first, all.sigma[k].begin() + first + count);
  run(parts, {}, some);
  Values list;
  for (std::size_t i = 0; i < count; ++i) {
    list.insert(list.end(), {some.energy[i], some.by_density[0][i], some.by_density[1][i]});
    for (int k = 0; k < 3; ++k) list.push_back(some.by_sigma[k][i]);
  }
  return list;
}

template <class Arrays>
void expect_same_bits(const Arrays& samples) {
  constexpr std::size_t count = 37;
  for (const FunctionalParts parts : all_parts()) {
    const Values whole = results_from(parts, samples, 0, count);
    const std::size_t each = whole.size() / count;
    for (std::size_t first = 0; first < 9; ++first)
      for (std::size_t size : {1, 2, 3, 5, 8, 13, 28}) {
        const Values part = results_from(parts, samples, first, size);
        for (std::size_t k = 0; k < part.size(); ++k)
          ASSERT_EQ(part[k], whole[each * first + k]) << name_of(parts) << ", point " << first;
      }
  }
}

TEST_P(XcPointsOnTargets, WithoutSpinAPointHasTheSameBitsInEveryPlace) {
  expect_same_bits(XcSampler(5).points(37));
}
TEST_P(XcPointsOnTargets, WithSpinAPointHasTheSameBitsInEveryPlace) {
  expect_same_bits(XcSampler(6).spin_points(37));
}

TEST_P(XcPointsOnTargets, WithoutSpinAFunctionalIsTheSumOfItsTerms) {
  for (const FunctionalParts parts : all_parts()) {
    XcArrays sum = XcSampler(7).points(101), first = sum, second = sum;
    run(parts, {}, sum);
    run({parts.exchange, Correlation::none}, {}, first);
    run({Exchange::none, parts.correlation}, {}, second);
    for (std::size_t i = 0; i < sum.size(); ++i) {
      ASSERT_EQ(sum.energy[i], first.energy[i] + second.energy[i]) << name_of(parts);
      ASSERT_EQ(sum.by_density[i], first.by_density[i] + second.by_density[i]);
      // What has no gradient leaves the -7 of make_room.
      const auto written = [](double x) { return x == -7 ? 0 : x; };
      ASSERT_EQ(written(sum.by_sigma[i]), written(first.by_sigma[i]) + written(second.by_sigma[i]));
    }
  }
}

TEST_P(XcPointsOnTargets, WithSpinAFunctionalIsTheSumOfItsTerms) {
  for (const FunctionalParts parts : all_parts()) {
    XcSpinArrays sum = XcSampler(8).spin_points(101), first = sum, second = sum;
    run(parts, {}, sum);
    run({parts.exchange, Correlation::none}, {}, first);
    run({Exchange::none, parts.correlation}, {}, second);
    const auto written = [](double x) { return x == -7 ? 0 : x; };
    for (std::size_t i = 0; i < sum.size(); ++i) {
      ASSERT_EQ(sum.energy[i], first.energy[i] + second.energy[i]) << name_of(parts);
      for (int k = 0; k < 2; ++k)
        ASSERT_EQ(sum.by_density[k][i], first.by_density[k][i] + second.by_density[k][i]);
      for (int k = 0; k < 3; ++k)
        ASSERT_EQ(written(sum.by_sigma[k][i]),
                  written(first.by_sigma[k][i]) + written(second.by_sigma[k][i]));
    }
  }
}

const Values no_density = {0, -0.0, -1e-300, -1e-17, -0.3, 1e-300, 1e-31};

TEST_P(XcPointsOnTargets, WithoutSpinNoDensityGivesZero) {
  XcArrays points;
  for (const double rho : no_density)
    for (const double sigma : {0.0, 1e-30, 1.0, 1e10, -1e-20}) {
      points.density.push_back(rho);
      points.sigma.push_back(sigma);
    }
  for (const FunctionalParts parts : all_parts()) {
    run(parts, {}, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points.energy[i], 0);
      EXPECT_EQ(points.by_density[i], 0);
      if (parts.uses_gradient()) {
        EXPECT_EQ(points.by_sigma[i], 0);
      }
    }
  }
}

TEST_P(XcPointsOnTargets, WithSpinNoDensityGivesZero) {
  XcSpinArrays points;
  for (const double up : no_density)
    for (const double down : no_density)
      for (const double sigma : {0.0, 1.0, 1e10}) {
        points.density[0].push_back(up), points.density[1].push_back(down);
        for (Values& values : points.sigma) values.push_back(sigma);
      }
  for (const FunctionalParts parts : all_parts()) {
    run(parts, {}, points);
    for (std::size_t i = 0; i < points.size(); ++i) {
      EXPECT_EQ(points.energy[i], 0);
      for (const Values& values : points.by_density) EXPECT_EQ(values[i], 0);
      if (!parts.uses_gradient()) continue;
      for (const Values& values : points.by_sigma) EXPECT_EQ(values[i], 0);
    }
  }
}

/// Where there is density, however little, and whatever the gradient.
TEST_P(XcPointsOnTargets, ResultsAreFinite) {
  XcArrays points;
  XcSpinArrays spins;
  for (const double rho : {1.1e-30, 3e-22, 1e-14, 1e-8, 1e-3, 1.0, 50.0, 1e3})
    for (const double sigma : {-1e-12, 0.0, 1e-300, 1e-40, 1e-12, 1.0, 1e12}) {
      points.density.push_back(rho), points.sigma.push_back(sigma);
      for (const double other : {-1e-25, 0.0, 1e-40, 1e-29, 1e-6, 2.0}) {
        spins.density[0].push_back(rho), spins.density[1].push_back(other);
        spins.sigma[0].push_back(sigma), spins.sigma[2].push_back(1e-5 * sigma);
        spins.sigma[1].push_back(-0.003 * std::abs(sigma));
      }
    }
  for (const FunctionalParts parts : all_parts()) {
    run(parts, {}, points), run(parts, {}, spins);
    for (std::size_t i = 0; i < points.size(); ++i)
      ASSERT_TRUE(std::isfinite(points.energy[i]) && std::isfinite(points.by_density[i]) &&
                  std::isfinite(points.by_sigma[i]))
          << name_of(parts) << ", density " << points.density[i] << ", sigma " << points.sigma[i];
    for (std::size_t i = 0; i < spins.size(); ++i) {
      double sum = spins.energy[i];
      for (const Values& values : spins.by_density) sum += values[i];
      for (const Values& values : spins.by_sigma) sum += values[i];
      ASSERT_TRUE(std::isfinite(sum))
          << name_of(parts) << ", densities " << spins.density[0][i] << ", " << spins.density[1][i];
    }
  }
}

/// A NaN, which is the sign of a defect elsewhere, does not vanish here.
TEST_P(XcPointsOnTargets, NotANumberStaysOne) {
  constexpr double nan = std::numeric_limits<double>::quiet_NaN();
  for (const FunctionalParts parts : all_parts()) {
    if (parts.exchange == Exchange::none && parts.correlation == Correlation::none) continue;
    XcArrays points;
    points.density = {0.3, nan, 0.3}, points.sigma = {0.1, 0.1, parts.uses_gradient() ? nan : 0.1};
    run(parts, {}, points);
    EXPECT_FALSE(std::isnan(points.energy[0]) || std::isnan(points.by_density[0]));
    EXPECT_TRUE(std::isnan(points.energy[1]) && std::isnan(points.by_density[1])) << name_of(parts);
    EXPECT_EQ(std::isnan(points.energy[2]), parts.uses_gradient()) << name_of(parts);
  }
}

FG_ON_EACH_SIMD_TARGET(XcPointsOnTargets);

}  // namespace
}  // namespace fg::test
