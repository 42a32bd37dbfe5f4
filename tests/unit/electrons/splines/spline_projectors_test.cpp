// SPDX-License-Identifier: BSD-3-Clause
//
// The nonlocal energy by splines: against the twin, against exact sums with rising order, and its
// derivatives by finite differences.
#include "electrons/splines/spline_projectors.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/electrons/spline_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/spline_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using test::gth_projector;
using test::spline_grid;
using test::spline_sample;
using test::SplineSample;
using Complex = std::complex<double>;
using Waves = std::vector<Complex>;

constexpr double occupation = 2;
constexpr std::size_t orbitals = 3;  // one pair and one alone

RadialTable table(int l, int i, double radius) {
  return {gth_projector(l, i, radius).table(0.01, 700), 0.01, l};
}

/// Made up, with all l, two projectors of one l, a kind without any, and one without ions.
const std::vector<ProjectorKind> kinds = {
    {{table(0, 1, 0.9), table(1, 1, 0.8), table(0, 2, 0.9), table(2, 1, 0.9), table(3, 1, 1.0)},
     {3.1,  0, -0.7, 0,    0,  //
      0,    2, 0,    0,    0,  //
      -0.7, 0, 1.2,  0,    0,  //
      0,    0, 0,    -1.3, 0,  //
      0,    0, 0,    0,    0.6}},
    {{}, {}},
    {{table(0, 1, 0.6)}, {4.2}},
    {{table(0, 1, 0.7)}, {1.0}},
};
const std::vector<int> kind_of_ion = {0, 2, 1, 0, 2};
const std::vector<Vec3> positions = {
    {0.3, -1.2, 2.2}, {4.1, 3.3, -8.4}, {1, 1, 1}, {-3.3, 20.1, 5.2}, {2.2, 0.4, 7.1}};

/// Random, smaller for shorter wavelengths, as those of orbitals are: times exp(-G^2 / 2 width^2).
Waves random_block(const PlaneWaves& waves, unsigned seed, double width = 1e9) {
  Waves block;
  for (unsigned s = 0; s < orbitals; ++s) {
    const Waves one = test::random_waves(waves, seed + s);
    for (std::size_t i = 0; i < one.size(); ++i)
      block.push_back(one[i] * std::exp(-waves.squares()[i] / (2 * width * width)));
  }
  return block;
}

template <class Any>
reference::Nonlocal evaluate_with(Any& projectors, std::span<const Vec3> at, const Waves& block) {
  projectors.place(at);
  reference::Nonlocal result;
  result.z.resize(projectors.rows() * orbitals);
  projectors.project(block, orbitals, result.z);
  std::vector<double> dz(result.z.size());
  projectors.coupling().couple(result.z, orbitals, dz);
  result.energy = nonlocal_energy(result.z, dz, occupation);
  result.applied.resize(block.size());
  projectors.apply(dz, orbitals, result.applied);
  result.forces.resize(at.size());
  projectors.add_forces(dz, block, orbitals, occupation, result.forces);
  projectors.add_virial(dz, block, orbitals, occupation, result.virial);
  return result;
}
reference::Nonlocal evaluate(const SplineSample& sample, int order, std::span<const Vec3> at,
                             const Waves& block) {
  SplineProjectors projectors(sample.plan, sample.waves, kinds, kind_of_ion, order);
  return evaluate_with(projectors, at, block);
}

TEST(SplineProjectors, AreThoseOfTheTwin) {
  for (const double cutoff : {0.8, 2.0})
    for (const int order : {4, 7, 8, 10}) {
      const SplineSample sample =
          spline_sample(test::skewed, cutoff, spline_grid(test::skewed, cutoff, 1.2));
      const Waves block = random_block(sample.waves, 1);
      const reference::Nonlocal found = evaluate(sample, order, positions, block);
      const reference::Nonlocal right =
          reference::spline_nonlocal(sample.waves, sample.grid(), order, kinds, kind_of_ion,
                                     positions, block, orbitals, occupation);
      // Roundings of sums of thousands of terms.
      const double rounding = 1e-12 * (std::abs(right.energy) + 1);
      ASSERT_EQ(found.z.size(), right.z.size());
      for (std::size_t i = 0; i < right.z.size(); ++i)
        EXPECT_NEAR(found.z[i], right.z[i], rounding);
      EXPECT_NEAR(found.energy, right.energy, rounding);
      for (std::size_t i = 0; i < block.size(); ++i)
        EXPECT_LE(std::abs(found.applied[i] - right.applied[i]), rounding);
      for (std::size_t i = 0; i < positions.size(); ++i)
        for (int a = 0; a < 3; ++a)
          EXPECT_NEAR(found.forces[i][a], right.forces[i][a], 3 * rounding);
      for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.virial[k], right.virial[k], 3 * rounding);
      EXPECT_EQ(found.forces[2], Vec3{});
    }
}

TEST(SplineProjectors, AreTheExactOnesWithRisingOrderAndGrid) {
  constexpr double cutoff = 2.5;
  const PlaneWaves waves = test::waves_up_to(test::skewed, cutoff);
  Waves block = random_block(waves, 2, 0.8);
  const reference::Nonlocal exact =
      reference::nonlocal(waves, kinds, kind_of_ion, positions, block, orbitals, occupation);
  // With the grid twice the smallest one, errors of the shortest waves fall by (1/3)^2 from an even
  // order to the next: aliases of the wave 1/4 are at 3/4. Sums of random ones scatter.
  double last = 1;
  for (const int order : {4, 6, 8, 10}) {
    const SplineSample sample =
        spline_sample(test::skewed, cutoff, spline_grid(test::skewed, cutoff, 2));
    ASSERT_TRUE(std::equal(waves.indices().begin(), waves.indices().end(),
                           sample.waves.indices().begin(), sample.waves.indices().end()));
    const reference::Nonlocal found = evaluate(sample, order, positions, block);
    double error = 0;
    for (std::size_t i = 0; i < exact.z.size(); ++i)
      error = std::max(error, std::abs(found.z[i] - exact.z[i]));
    RecordProperty("error_of_order_" + std::to_string(order), std::to_string(error));
    EXPECT_LT(error, last / 4) << order;
    last = error;
  }
  EXPECT_LT(last, 1e-5 * std::sqrt(std::abs(exact.energy)));
}

TEST(SplineProjectors, TheirPartOfTheHamiltonianIsTheGradientOfTheEnergy) {
  const SplineSample sample = spline_sample(test::skewed, 1.0, spline_grid(test::skewed, 1, 1.4));
  const Waves block = random_block(sample.waves, 3);
  const reference::Nonlocal here = evaluate(sample, 6, positions, block);
  for (std::size_t i = 0; i < block.size(); i += 5)
    for (const Complex direction : {Complex(1, 0), Complex(0, 1)}) {
      const double weight = i % sample.waves.size() == 0 ? 1 : 2;
      if (weight == 1 && direction.imag() != 0) continue;  // real at G = 0
      const auto energy = [&](double step) {
        Waves moved = block;
        moved[i] += step * direction;
        return evaluate(sample, 6, positions, moved).energy;
      };
      const double right =
          2 * occupation * weight * (here.applied[i] * std::conj(direction)).real();
      // Exact for a quadratic function but for rounding.
      EXPECT_NEAR((energy(1) - energy(-1)) / 2, right, 1e-13 * std::abs(here.energy));
    }
}

TEST(SplineProjectors, ForcesAreTheSlopesOfTheEnergy) {
  const SplineSample sample = spline_sample(test::skewed, 2, spline_grid(test::skewed, 2, 1.4));
  const Waves block = random_block(sample.waves, 4);
  for (const int order : {8, 9}) {
    const reference::Nonlocal here = evaluate(sample, order, positions, block);
    for (std::size_t ion = 0; ion < positions.size(); ++ion)
      for (int axis = 0; axis < 3; ++axis) {
        const auto energy = [&](double step) {
          std::vector<Vec3> moved = positions;
          moved[ion][axis] += step;
          return evaluate(sample, order, moved, block).energy;
        };
        // (2 * 2 * 0.005)^6 / 140 = 5e-13 of the energy, and 4 roundings over 0.005. Where a place
        // passes a knot, splines of order 8 have derivatives up to the sixth, which the difference
        // does not need.
        EXPECT_NEAR(here.forces[ion][axis], -test::sixth_order_slope(energy, 0.005),
                    1e-10 * std::abs(here.energy));
      }
  }
}

TEST(SplineProjectors, TheVirialIsTheSlopeByTheStrain) {
  constexpr double cutoff = 2;
  const fft::Grid grid = spline_grid(test::skewed, cutoff, 1.4);
  const SplineSample sample = spline_sample(test::skewed, cutoff, grid);
  const Waves block = random_block(sample.waves, 5);
  const reference::Nonlocal here = evaluate(sample, 8, positions, block);
  for (int component = 0; component < 6; ++component) {
    const auto energy = [&](double strain) {
      std::vector<Vec3> moved = positions;
      for (Vec3& r : moved) r = test::strained(r, component, strain);
      const SplineSample other{sample.plan, test::strained(sample.waves, component, strain)};
      return evaluate(other, 8, moved, block).energy;
    };
    EXPECT_NEAR(here.virial[component], -test::sixth_order_slope(energy, 0.003),
                1e-9 * std::abs(here.energy));
  }
}

TEST(SplineProjectors, AStepOfTheGridChangesNoEnergy) {
  const fft::Grid grid = spline_grid(test::skewed, 2, 1.4);
  const SplineSample sample = spline_sample(test::skewed, 2, grid);
  const Waves block = random_block(sample.waves, 6);
  const double here = evaluate(sample, 6, positions, block).energy;
  // Ions and orbitals move by whole steps along two axes.
  const Vec3 shift =
      test::skewed.vectors[0] * (3.0 / grid[0]) - test::skewed.vectors[2] * (1.0 / grid[2]);
  std::vector<Vec3> moved = positions;
  for (Vec3& r : moved) r += shift;
  Waves moved_block = block;
  for (std::size_t i = 0; i < block.size(); ++i)
    moved_block[i] *= std::polar(1.0, -dot(sample.waves.wave(i % sample.waves.size()), shift));
  EXPECT_NEAR(evaluate(sample, 6, moved, moved_block).energy, here, 1e-12 * std::abs(here));
}

TEST(SplineProjectors, RefuseWhatCannotBe) {
  const SplineSample sample = spline_sample(test::skewed, 1, spline_grid(test::skewed, 1, 1.4));
  const auto make = [&](const PlaneWaves& waves, int order) {
    SplineProjectors(sample.plan, waves, kinds, kind_of_ion, order);
  };
  expect_refused<InputError>([&] { make(sample.waves, 12); }, "4 to 10");
  expect_refused<InternalError>([&] { make(test::waves_up_to(test::skewed, 0.9), 8); },
                                "same_waves");
  SplineProjectors good(sample.plan, sample.waves, kinds, kind_of_ion, 8);
  std::vector<double> z(good.rows());
  const Waves one(sample.waves.size());
  expect_refused<InternalError>([&] { good.project(one, 1, z); }, "ions_");
  expect_refused<InternalError>([&] { good.place(std::vector<Vec3>(1)); }, "positions");
  good.place(positions);
  expect_refused<InternalError>([&] { good.project(one, 2, z); }, "orbitals");
}

}  // namespace
}  // namespace fg::electrons
