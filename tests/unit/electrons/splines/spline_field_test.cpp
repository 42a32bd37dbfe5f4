// SPDX-License-Identifier: BSD-3-Clause
//
// Fields of ions by splines: against the twin, against exact sums with rising order, and their
// derivatives by finite differences.
#include "electrons/splines/spline_field.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "base/error.hpp"
#include "electrons/ions/local_potential.hpp"
#include "support/electrons/gaussian_transform.hpp"
#include "support/electrons/plane_wave_samples.hpp"
#include "support/electrons/spline_samples.hpp"
#include "support/expect_refused.hpp"
#include "support/references/electrons/spline_references.hpp"

namespace fg::electrons {
namespace {

using test::expect_refused;
using test::spline_grid;
using test::spline_sample;
using test::SplineSample;
using Complex = std::complex<double>;
using Waves = std::vector<Complex>;

constexpr double cutoff = 2.5;

LocalPotential local(double radius, double charge, double c1, double c2) {
  return {RadialTable(test::gth_local(radius, c1, c2).table(0.01, 900), 0.01, 0), charge,
          std::numbers::sqrt2 * radius};
}
/// The third kind has none.
std::vector<RadialWaves> kinds_on(const PlaneWaves& waves) {
  return {local_on_waves(waves, local(0.24342026, 6, -16.99189235, 2.56614206)),
          local_on_waves(waves, local(0.2, 1, -4.19596147, 0.73049821)),
          {},
          local_on_waves(waves, local(0.44, 4, -7.336103, 0))};
}
const std::vector<int> kind_of_ion = {1, 0, 1, 2, 3};
const std::vector<Vec3> positions = {
    {0.3, -1.2, 2.2}, {4.1, 3.3, -8.4}, {1, 1, 1}, {-3.3, 20.1, 5.2}, {2.2, 0.4, 7.1}};

struct Found {
  Waves field;
  std::vector<Vec3> forces;
  Virial virial{};
  double energy = 0;
};
Found evaluate(const SplineSample& sample, int order, std::span<const Vec3> at,
               const Waves& partner) {
  SplineField field(sample.plan, sample.waves, kinds_on(sample.waves), kind_of_ion, order);
  Found found{Waves(partner.size()), std::vector<Vec3>(at.size()), {}, 0};
  field.write(at, found.field);
  field.add_forces(at, partner, found.forces);
  field.add_virial(at, partner, found.virial);
  found.energy = integral(sample.waves, found.field, partner);
  return found;
}

TEST(SplineField, IsThatOfTheTwin) {
  const SplineSample sample =
      spline_sample(test::skewed, cutoff, spline_grid(test::skewed, cutoff, 1.3));
  const Waves partner = test::random_waves(sample.waves, 1);
  for (const int order : {4, 5, 8, 10}) {
    const Found found = evaluate(sample, order, positions, partner);
    const reference::SplineFieldValues right =
        reference::spline_field(sample.waves, sample.grid(), order, kinds_on(sample.waves),
                                kind_of_ion, positions, partner);
    // Roundings of sums of five ions and of thousands of waves.
    for (std::size_t i = 0; i < right.field.size(); ++i)
      EXPECT_LE(std::abs(found.field[i] - right.field[i]), 1e-13) << order;
    for (std::size_t i = 0; i < positions.size(); ++i)
      for (int a = 0; a < 3; ++a)
        EXPECT_NEAR(found.forces[i][a], right.forces[i][a], 1e-10) << order;
    for (int k = 0; k < 6; ++k) EXPECT_NEAR(found.virial[k], right.virial[k], 1e-9) << order;
  }
}

TEST(SplineField, IsTheExactOneWithRisingOrder) {
  const SplineSample sample =
      spline_sample(test::skewed, cutoff, spline_grid(test::skewed, cutoff, 1.4));
  Waves exact(sample.waves.size());
  IonField(sample.waves, kinds_on(sample.waves), kind_of_ion).write(positions, exact);
  double last = 1;
  for (const int order : {4, 6, 8, 10}) {
    const Found found = evaluate(sample, order, positions, test::random_waves(sample.waves, 2));
    double error = 0;
    for (std::size_t i = 0; i < exact.size(); ++i)
      error = std::max(error, std::abs(found.field[i] - exact[i]));
    // The shortest waves are at 1 / 2.8 of the grid, their aliases at 1.8 / 2.8: errors fall by
    // 1.8^2 from one even order to the next.
    EXPECT_LT(error, last / 2.5) << order;
    last = error;
  }
}

TEST(SplineField, ForcesAndVirialAreSlopesOfTheEnergy) {
  const fft::Grid grid = spline_grid(test::skewed, cutoff, 1.4);
  const SplineSample sample = spline_sample(test::skewed, cutoff, grid);
  const Waves partner = test::random_waves(sample.waves, 3);
  const Found here = evaluate(sample, 8, positions, partner);
  const double scale = 1000;  // the size of the energy's largest terms
  for (std::size_t ion = 0; ion < positions.size(); ++ion)
    for (int axis = 0; axis < 3; ++axis) {
      const auto energy = [&](double step) {
        std::vector<Vec3> moved = positions;
        moved[ion][axis] += step;
        return evaluate(sample, 8, moved, partner).energy;
      };
      // (2.5 * 0.01)^6 / 140 = 2e-12.
      EXPECT_NEAR(here.forces[ion][axis], -test::sixth_order_slope(energy, 0.01), 1e-11 * scale);
    }
  for (int component = 0; component < 6; ++component) {
    const auto energy = [&](double strain) {
      std::vector<Vec3> moved = positions;
      for (Vec3& r : moved) r = test::strained(r, component, strain);
      const SplineSample other{sample.plan, test::strained(sample.waves, component, strain)};
      // V p(G) is constant, as that of a density is.
      Waves same = partner;
      for (Complex& c : same) c *= sample.waves.lattice().volume() / other.waves.lattice().volume();
      return evaluate(other, 8, moved, same).energy;
    };
    const double right = here.virial[component] + (component < 3 ? here.energy : 0);
    EXPECT_NEAR(right, -test::sixth_order_slope(energy, 0.003), 1e-9 * scale);
  }
}

TEST(SplineField, RefusesWhatCannotBe) {
  const SplineSample sample = spline_sample(test::skewed, 1, spline_grid(test::skewed, 1, 1.4));
  const auto kinds = kinds_on(sample.waves);
  expect_refused<InputError>([&] { SplineField(sample.plan, sample.waves, kinds, kind_of_ion, 2); },
                             "4 to 10");
  expect_refused<InternalError>([&] { SplineField(sample.plan, sample.waves, {}, kind_of_ion, 8); },
                                "kind");
  SplineFieldShare share(sample.waves, kinds, {0, 1, 3}, kind_of_ion, sample.grid(), 8,
                         fft::whole(sample.grid()));
  EXPECT_EQ(share.pairs(), 2);
  Waves points(fft::whole(sample.grid()).volume());
  expect_refused<InternalError>([&] { share.scatter(0, points); }, "ions_");
}

}  // namespace
}  // namespace fg::electrons
